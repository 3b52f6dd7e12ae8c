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
	body := object{}
	if topics != nil {
		body["topics"] = topics
	}
	return m.keep(call[Key](m, "POST", "keys/generate", body))
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
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		k.m.t.Fatal(err)
	}
	return key.(*ecdsa.PrivateKey)
}

// ProviderToken returns a provider token, issued now by the clock of the server, for the header authorization after "bearer ".
func (k *Key) ProviderToken() string { k.m.t.Helper(); return k.ProviderTokenAt(k.m.Clock.Now()) }

// ProviderTokenAt returns a provider token that was issued at this time.
func (k *Key) ProviderTokenAt(issued time.Time) string {
	k.m.t.Helper()
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(fmt.Sprintf(`{"alg":"ES256","kid":%q}`, k.ID))) + "." +
		encode([]byte(fmt.Sprintf(`{"iss":%q,"iat":%d}`, k.TeamID, issued.Unix())))
	hash := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, k.Private(), hash[:])
	if err != nil {
		k.m.t.Fatal(err)
	}
	return signed + "." + encode(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}

// Revoke revokes the key: its tokens are rejected from now on.
func (k *Key) Revoke() { k.m.t.Helper(); call[[]byte](k.m, "DELETE", "keys/"+k.ID, nil) }
