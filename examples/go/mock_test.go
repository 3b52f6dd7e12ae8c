package orders

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

const topic = "com.example.shop"

type object = map[string]any

// mock is a namespace of the server that `mock-apns exec -- go test` starts. It has its own port, devices, faults, clock
// and journal, so tests do not affect each other; and it has a phone, and a provider for a customer "alice" with it.
type mock struct {
	*Orders
	t          *testing.T
	api, phone string
	pauses     []time.Duration
}

func newMock(t *testing.T, topicOfProvider string) *mock {
	t.Helper()
	t.Parallel()
	m := &mock{t: t, api: os.Getenv("MOCK_APNS_API_URL") + "/api/v1/namespaces"}
	var namespace struct{ APNs, Name string }
	m.call("POST", "", object{"name": strings.ReplaceAll(t.Name(), "/", ".")}, &namespace)
	m.api += "/" + namespace.Name
	t.Cleanup(func() { m.call("DELETE", "", nil, nil) })
	var device struct{ Registrations []struct{ Token string } }
	m.call("POST", "/devices", object{"label": "phone", "registrations": []object{{"topic": topic}}}, &device)
	m.phone = device.Registrations[0].Token

	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(readFile(t, "MOCK_APNS_CA_FILE"))
	block, _ := pem.Decode(readFile(t, "MOCK_APNS_KEY_FILE"))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	m.Orders = New(APNs{
		URL: namespace.APNs, Topic: topicOfProvider, KeyID: os.Getenv("MOCK_APNS_KEY_ID"), TeamID: os.Getenv("MOCK_APNS_TEAM_ID"),
		Key: key.(*ecdsa.PrivateKey), Roots: roots,
	}, map[string]map[string]bool{"alice": {m.phone: true}})
	m.Sleep = func(pause time.Duration) { m.pauses = append(m.pauses, pause) }
	return m
}

func readFile(t *testing.T, variable string) []byte {
	t.Helper()
	content, err := os.ReadFile(os.Getenv(variable))
	if err != nil {
		t.Fatal("run mock-apns exec -- go test ./...:", err)
	}
	return content
}

// call calls the debug API. The report of a failed verification becomes the message of the failed test.
func (m *mock) call(method, path string, body, result any) {
	m.t.Helper()
	encoded, _ := json.Marshal(body)
	request, err := http.NewRequest(method, m.api+path, bytes.NewReader(encoded))
	if err != nil {
		m.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		var problem struct{ Detail, Report string }
		_ = json.NewDecoder(response.Body).Decode(&problem)
		m.t.Fatal(method, path, response.Status, problem.Detail, problem.Report)
	}
	if result != nil {
		if err := json.NewDecoder(response.Body).Decode(result); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m *mock) ship(order string) {
	m.t.Helper()
	if err := m.Shipped(order, "alice"); err != nil {
		m.t.Fatal(err)
	}
}

func (m *mock) verify(match object, count any) {
	m.t.Helper()
	m.call("POST", "/pushes/verify", object{"match": match, "count": count, "within": "5s"}, nil)
}

func (m *mock) fault(action object, times int) {
	m.t.Helper()
	m.call("POST", "/faults", object{"do": action, "when": object{"times": times}}, nil)
}

func isOrder(order string) object {
	return object{"payload": object{"at": "/orderId", "equals": order}}
}
