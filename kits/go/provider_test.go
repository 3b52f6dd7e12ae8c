package mockapns_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	. "mockapns"
)

const (
	topic     = "com.example.app"
	liveTopic = topic + ".push-type.liveactivity"
)

// provider knows a mock only by its variables.
type provider struct {
	t           testing.TB
	apns        *MockAPNs
	client      *http.Client
	url, topic  string
	keyID, team string
	key         *ecdsa.PrivateKey
	signed      string
	token       string // if not empty, in place of the signed one
}

func newProvider(t testing.TB, apns *MockAPNs) *provider {
	t.Helper()
	return providerOf(t, apns.Environment(), apns)
}

func providerOf(t testing.TB, env map[string]string, apns *MockAPNs) *provider {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(read(t, env["MOCK_APNS_CA_FILE"]))
	block, _ := pem.Decode(read(t, env["MOCK_APNS_KEY_FILE"]))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(transport.CloseIdleConnections)
	p := &provider{
		t: t, apns: apns, client: &http.Client{Transport: transport, Timeout: time.Minute}, url: env["MOCK_APNS_URL"], topic: topic,
		keyID: env["MOCK_APNS_KEY_ID"], team: env["MOCK_APNS_TEAM_ID"], key: key.(*ecdsa.PrivateKey),
	}
	p.signed = p.sign()
	return p
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// send sends an alert to a device token, and returns the status; 0 without a response.
func (p *provider) send(token, title string, headers ...string) int {
	p.t.Helper()
	aps := object{"alert": object{"title": title, "body": "It is on its way."}}
	return p.post("/3/device/"+token, object{"aps": aps, "orderID": "17"}, append(headers, "apns-push-type", "alert")...)
}

// live sends a push to a Live Activity, and returns the status; its timestamp is ahead of now by some seconds.
func (p *provider) live(token, event string, minutes int, ahead int64, more ...object) int {
	p.t.Helper()
	aps := object{"event": event, "timestamp": p.apns.Clock.Now().Unix() + ahead, "content-state": object{"minutes": minutes}}
	if event == "start" {
		more = append(more, object{"attributes-type": "RideAttributes", "attributes": object{"ride": "A7"},
			"input-push-token": 1, "alert": object{"title": "On the way", "body": "Here in 9 minutes"}})
	}
	for _, members := range more {
		for name, value := range members {
			aps[name] = value
		}
	}
	return p.post("/3/device/"+token, object{"aps": aps}, "apns-push-type", "liveactivity", "apns-topic", liveTopic, "apns-priority", "10")
}

type object = map[string]any

func (p *provider) post(path string, body object, headers ...string) int {
	p.t.Helper()
	encoded, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	request, err := http.NewRequest("POST", p.url+path, bytes.NewReader(encoded))
	if err != nil {
		p.t.Fatal(err)
	}
	jwt := p.token
	if jwt == "" {
		jwt = p.signed
	}
	request.Header.Set("authorization", "bearer "+jwt)
	request.Header.Set("apns-topic", p.topic)
	for number := 0; number+1 < len(headers); number += 2 {
		request.Header.Set(headers[number], headers[number+1])
	}
	response, err := p.client.Do(request)
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

func (p *provider) sign() string {
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"ES256","kid":"`+p.keyID+`"}`)) + "." +
		encode([]byte(fmt.Sprintf(`{"iss":%q,"iat":%d}`, p.team, time.Now().Unix())))
	hash := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, p.key, hash[:])
	if err != nil {
		p.t.Fatal(err)
	}
	return text + "." + encode(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}
