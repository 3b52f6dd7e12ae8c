// Package mockapns gives each test a mock APNs: a place of its own to send pushes to, phones that get them, and
// expectations about what arrived.
//
// The tests of a package share a server: that of MOCK_APNS_API_URL, which mock-apns exec sets, or one that the first
// test starts with the program of MOCK_APNS_BIN, or the mock-apns in the PATH. It ends with the tests.
//
// Every failure, of an expectation or of a call, ends the test with t.Fatal. So call the functions in its goroutine.
package mockapns

import (
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// MockAPNs is the mock APNs of a test: a namespace of the server, with its own port, phones, pushes, faults and clock.
type MockAPNs struct {
	Host   string // that serves pushes
	Port   int    // that serves pushes
	URL    string // https://host:port
	CAFile string // the CA certificate that a provider has to trust, in PEM
	Key    *Key   // signs provider tokens
	Clock  Clock  // by which provider tokens and stored notifications expire
	APIURL string // of the server's debug API
	Page   string // of this test's pushes: until the test has ended, and for an hour after a failed expectation

	t         testing.TB
	namespace string
	isKept    *atomic.Bool
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// New returns a new mock APNs for a test, which ends with the test. If the test fails and MOCK_APNS_ATTACHMENTS is a
// directory, the pushes are saved there.
func New(t testing.TB) *MockAPNs {
	t.Helper()
	connect(t)
	added, port := addNamespace(t, t.Name()), server.port
	m := &MockAPNs{t: t, namespace: added.Name, isKept: &atomic.Bool{}, Host: server.host, APIURL: server.api}
	t.Cleanup(m.end)
	if port == "" {
		port = added.port()
	}
	m.Port, m.URL = must(strconv.Atoi(port))(t), "https://"+net.JoinHostPort(m.Host, port)
	m.Page, m.Clock, m.CAFile = m.APIURL+"/?ns="+added.Name, Clock{m}, filepath.Join(t.TempDir(), "ca.pem")
	m.write(m.CAFile, server.ca)
	m.Key = m.keep(server.key)
	return m
}

// end saves the pushes of a failed test, and deletes its namespace, unless a report leads to it.
func (m *MockAPNs) end() {
	if directory := os.Getenv("MOCK_APNS_ATTACHMENTS"); directory != "" && m.t.Failed() {
		m.SavePushes(filepath.Join(directory, notInNames.ReplaceAllString(m.t.Name(), ".")))
	}
	if !m.isKept.Load() {
		call[[]byte](m.t, "DELETE", "namespaces/"+m.namespace, nil)
	}
}

// failures counts the failed expectations. The first 100 keep their namespaces, since a server has at most 1,000.
var failures atomic.Int32

// fail ends the test with a report, and keeps its pushes for the page.
func (m *MockAPNs) fail(report string) {
	m.t.Helper()
	if m.isKept.Load() || failures.Add(1) <= 100 {
		m.isKept.Store(true)
		report += "\npage: " + m.Page +
			" (for an hour; if the server ends with the tests, use mock-apns serve and MOCK_APNS_API_URL)"
	}
	m.t.Fatal(report)
}

// SavePushes writes the pushes to a directory, as pushes.json, and pictures of the last 20 notifications.
func (m *MockAPNs) SavePushes(directory string) {
	m.t.Helper()
	must(directory, os.MkdirAll(directory, 0o777))(m.t)
	m.write(filepath.Join(directory, "pushes.json"), ask[[]byte](m, "GET", "pushes?order=asc&limit=1000", nil))
	pushes := m.Pushes(AnyOutcome)
	for number := len(pushes) - 1; number >= 0 && number >= len(pushes)-20; number-- {
		id := pushes[number].ID
		m.write(filepath.Join(directory, "push-"+id+".svg"), ask[[]byte](m, "GET", "pushes/"+id+"/preview.svg", nil))
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
	pool.AppendCertsFromPEM(server.ca)
	return pool
}

// Environment returns the variables of mock-apns exec for this mock, for a provider or a mock-apns in another process.
func (m *MockAPNs) Environment() map[string]string {
	return map[string]string{
		"MOCK_APNS_HOST": m.Host, "MOCK_APNS_APNS_PORT": strconv.Itoa(m.Port), "MOCK_APNS_URL": m.URL,
		"MOCK_APNS_CA_FILE": m.CAFile, "MOCK_APNS_KEY_FILE": m.Key.File, "MOCK_APNS_KEY_ID": m.Key.ID,
		"MOCK_APNS_TEAM_ID": m.Key.TeamID, "MOCK_APNS_API_URL": m.APIURL, "MOCK_APNS_API": m.APIURL,
		"MOCK_APNS_NS": m.namespace,
	}
}

func (m *MockAPNs) write(file string, content []byte) {
	m.t.Helper()
	must(file, os.WriteFile(file, content, 0o600))(m.t)
}

// ask calls the debug API within the namespace. A verification that fails ends the test.
func ask[Result any](m *MockAPNs, method, path string, body object) Result {
	m.t.Helper()
	result, report := call[Result](m.t, method, "namespaces/"+m.namespace+"/"+path, body)
	if report != "" {
		m.fail(report)
	}
	return result
}

// must is a value, or ends a test if there is an error instead.
func must[Value any](value Value, err error) func(testing.TB) Value {
	return func(t testing.TB) Value {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// milliseconds is a duration as the debug API reads it.
func milliseconds(duration time.Duration) string { return fmt.Sprintf("%dms", duration.Milliseconds()) }
