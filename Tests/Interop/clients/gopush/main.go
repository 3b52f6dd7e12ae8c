// Sends pushes with golang.org/x/net/http2 over one connection.
//
// Job on stdin: {base, ca, p12, passphrase, requests: [{method, path, headers, body}], parallel}
// p12 is the path of a PKCS#12 file with the client certificate, if the client shows one.
// Answer on stdout: one JSON line {answers: [{status, headers, body, error}]}.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	"golang.org/x/crypto/pkcs12"
	"golang.org/x/net/http2"
)

type request struct {
	Method  string      `json:"method"`
	Path    string      `json:"path"`
	Headers [][2]string `json:"headers"`
	Body    string      `json:"body"`
}

type answer struct {
	Status  int         `json:"status"`
	Headers [][2]string `json:"headers"`
	Body    string      `json:"body"`
	Error   string      `json:"error,omitempty"`
}

func send(client *http.Client, base string, wanted request) answer {
	call, err := http.NewRequest(wanted.Method, base+wanted.Path, strings.NewReader(wanted.Body))
	if err != nil {
		return answer{Error: err.Error()}
	}
	for _, header := range wanted.Headers {
		call.Header.Add(header[0], header[1])
	}
	// Without it, a request that a GOAWAY left unprocessed fails at once, and not after half a minute of retries.
	call.GetBody = nil
	response, err := client.Do(call)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{Error: err.Error()}
	}
	got := answer{Status: response.StatusCode, Headers: [][2]string{}, Body: string(body)}
	for name, values := range response.Header {
		for _, value := range values {
			got.Headers = append(got.Headers, [2]string{strings.ToLower(name), value})
		}
	}
	return got
}

// certificate reads a PKCS#12 file as sideshow/apns2 does: with x/crypto/pkcs12, which knows only RC2 and 3DES.
func certificate(path, passphrase string) tls.Certificate {
	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	key, leaf, err := pkcs12.Decode(data, passphrase)
	if err != nil {
		log.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
}

func main() {
	log.SetFlags(0)
	var job struct {
		Base       string    `json:"base"`
		CA         string    `json:"ca"`
		P12        string    `json:"p12"`
		Passphrase string    `json:"passphrase"`
		Requests   []request `json:"requests"`
		Parallel   bool      `json:"parallel"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&job); err != nil {
		log.Fatal(err)
	}
	authority, err := os.ReadFile(job.CA)
	if err != nil {
		log.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		log.Fatalf("expected certificates in %s, saw none", job.CA)
	}
	shown := []tls.Certificate{}
	if job.P12 != "" {
		shown = append(shown, certificate(job.P12, job.Passphrase))
	}
	client := &http.Client{Transport: &http2.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: shown},
		// One connection, whatever number of streams the server grants.
		StrictMaxConcurrentStreams: true,
	}}

	answers := make([]answer, len(job.Requests))
	var waiting sync.WaitGroup
	for i, wanted := range job.Requests {
		if !job.Parallel {
			answers[i] = send(client, job.Base, wanted)
			continue
		}
		waiting.Add(1)
		go func(i int, wanted request) {
			defer waiting.Done()
			answers[i] = send(client, job.Base, wanted)
		}(i, wanted)
	}
	waiting.Wait()
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"answers": answers}); err != nil {
		log.Fatal(err)
	}
}
