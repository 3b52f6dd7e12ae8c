package mockapns

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"path/filepath"
	"time"
)

// Key is a key that signs provider tokens.
type Key struct {
	ID     string `json:"keyId"` // for the header kid
	TeamID string // for the claim iss
	PEM    string `json:"p8"` // as in the .p8 file that Apple provides
	File   string `json:"-"`  // with the PEM, as long as the test runs
	m      *MockAPNs
}

// AddKey creates another signing key, for these topics or for all.
func (m *MockAPNs) AddKey(topics ...string) *Key {
	m.t.Helper()
	return m.keep(ask[Key](m, "POST", "keys/generate", object{"topics": topics}))
}

// keep writes the file of a key.
func (m *MockAPNs) keep(key Key) *Key {
	m.t.Helper()
	key.m, key.File = m, filepath.Join(m.t.TempDir(), "AuthKey_"+key.ID+".p8")
	m.write(key.File, []byte(key.PEM))
	return &key
}

// Private returns the key for crypto/ecdsa.
func (k *Key) Private() *ecdsa.PrivateKey {
	k.m.t.Helper()
	block, _ := pem.Decode([]byte(k.PEM))
	return must(x509.ParsePKCS8PrivateKey(block.Bytes))(k.m.t).(*ecdsa.PrivateKey)
}

// ProviderToken returns a provider token, issued now by the clock of the server, for authorization after "bearer ".
func (k *Key) ProviderToken() string { k.m.t.Helper(); return k.ProviderTokenAt(k.m.Clock.Now()) }

// ProviderTokenAt returns a provider token that was issued at this time.
func (k *Key) ProviderTokenAt(issued time.Time) string {
	k.m.t.Helper()
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(fmt.Sprintf(`{"alg":"ES256","kid":%q}`, k.ID))) + "." +
		encode([]byte(fmt.Sprintf(`{"iss":%q,"iat":%d}`, k.TeamID, issued.Unix())))
	hash, signature := sha256.Sum256([]byte(signed)), make([]byte, 64)
	r, s, err := ecdsa.Sign(rand.Reader, k.Private(), hash[:])
	must(r, err)(k.m.t).FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return signed + "." + encode(signature)
}

// Revoke revokes the key: its tokens are rejected from now on.
func (k *Key) Revoke() { k.m.t.Helper(); ask[[]byte](k.m, "DELETE", "keys/"+k.ID, nil) }
