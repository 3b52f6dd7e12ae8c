// Package mockapns gives each test a mock APNs: a place of its own to send pushes to, phones that get them, and expectations
// about what arrived.
//
// The tests of a package share a server: that of MOCK_APNS_API_URL, which mock-apns exec sets, or one that the first test
// starts with the program of MOCK_APNS_BIN, or the mock-apns in the PATH. It ends with the tests.
//
// Every failure, of an expectation or of a call, ends the test with t.Fatal. So call the functions in the test's goroutine.
package mockapns

import (
	"crypto/rand"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// MockAPNs is the mock APNs of a test: a namespace of the server, which has its own port, phones, pushes, faults and clock.
type MockAPNs struct {
	Host   string // that serves pushes
	Port   int    // that serves pushes
	URL    string // https://host:port
	CAFile string // the CA certificate that a provider has to trust, in PEM
	Key    *Key   // signs provider tokens
	Clock  Clock  // by which provider tokens and stored notifications expire
	APIURL string // of the server's debug API
	Page   string // the page of this test's pushes, until the test has ended

	t         testing.TB
	server    *server
	namespace string
}

const attachments = "MOCK_APNS_ATTACHMENTS"

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// New returns a new mock APNs for a test, which ends with the test. If the test fails and MOCK_APNS_ATTACHMENTS is a
// directory, the pushes are saved there.
func New(t testing.TB) *MockAPNs {
	t.Helper()
	server, err := sharedServer()
	if err != nil {
		t.Fatal(err)
	}
	suffix := make([]byte, 4)
	if _, err := rand.Read(suffix); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%.40s-%x", notInNames.ReplaceAllString(t.Name(), "."), suffix)
	address, err := server.addNamespace(name)
	if err != nil {
		t.Fatal(err)
	}
	m := &MockAPNs{t: t, server: server, namespace: name, URL: "https://" + address, APIURL: server.api}
	t.Cleanup(m.end)
	m.Page, m.Clock, m.CAFile = server.api+"/?ns="+name, Clock{m}, filepath.Join(t.TempDir(), "ca.pem")
	host, port, err := net.SplitHostPort(address)
	if err == nil {
		m.Host = host
		m.Port, err = strconv.Atoi(port)
	}
	if err != nil {
		t.Fatal(err)
	}
	m.write(m.CAFile, server.ca)
	m.Key = m.keep(server.key)
	return m
}

// end saves the pushes of a failed test, and deletes its namespace.
func (m *MockAPNs) end() {
	if directory := os.Getenv(attachments); directory != "" && m.t.Failed() {
		m.SavePushes(filepath.Join(directory, notInNames.ReplaceAllString(m.t.Name(), ".")))
	}
	if err := m.server.call("DELETE", "namespaces/"+m.namespace, nil, nil); err != nil {
		m.t.Error(err)
	}
}

// SavePushes writes the pushes to a directory, as pushes.json, and pictures of the last 20 notifications.
func (m *MockAPNs) SavePushes(directory string) {
	m.t.Helper()
	if err := os.MkdirAll(directory, 0o777); err != nil {
		m.t.Fatal(err)
	}
	m.write(filepath.Join(directory, "pushes.json"), call[[]byte](m, "GET", "pushes?order=asc&limit=1000", nil))
	pushes := m.Pushes(AnyOutcome)
	for number := len(pushes) - 1; number >= 0 && number >= len(pushes)-20; number-- {
		id := pushes[number].ID
		m.write(filepath.Join(directory, "push-"+id+".svg"), call[[]byte](m, "GET", "pushes/"+id+"/preview.svg", nil))
	}
}

// For returns the same mock for another test, such as a subtest, which fails instead of this one.
func (m *MockAPNs) For(t testing.TB) *MockAPNs {
	same := *m
	same.t, same.Clock = t, Clock{&same}
	return &same
}

// RootCAs returns the certificates that a provider has to trust, for tls.Config.
func (m *MockAPNs) RootCAs() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(m.server.ca)
	return pool
}

// Environment returns the variables of mock-apns exec for this mock, for a provider or a mock-apns in another process.
func (m *MockAPNs) Environment() map[string]string {
	return map[string]string{
		"MOCK_APNS_HOST": m.Host, "MOCK_APNS_APNS_PORT": strconv.Itoa(m.Port), "MOCK_APNS_URL": m.URL,
		"MOCK_APNS_CA_FILE": m.CAFile, "MOCK_APNS_KEY_FILE": m.Key.File, "MOCK_APNS_KEY_ID": m.Key.ID,
		"MOCK_APNS_TEAM_ID": m.Key.TeamID, "MOCK_APNS_API_URL": m.APIURL, "MOCK_APNS_API": m.APIURL, "MOCK_APNS_NS": m.namespace,
	}
}

func (m *MockAPNs) write(file string, content []byte) {
	m.t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// call calls the debug API within the namespace.
func call[Result any](m *MockAPNs, method, path string, body object) (result Result) {
	m.t.Helper()
	if err := m.server.call(method, "namespaces/"+m.namespace+"/"+path, body, &result); err != nil {
		m.t.Fatalf("%v\npage: %s", err, m.Page)
	}
	return result
}

// milliseconds is a duration as the debug API reads it.
func milliseconds(duration time.Duration) string { return fmt.Sprintf("%dms", duration.Milliseconds()) }
