// Package orders tells a customer's phones that an order was shipped. It needs only the standard library.
package orders

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	attempts = 4
	tokenAge = 50 * time.Minute // APNs refuses provider tokens that are older than an hour
)

// Refused is the error of a push that APNs refused, and that sending again would not help.
type Refused struct {
	Status int
	Reason string
}

func (r *Refused) Error() string { return fmt.Sprintf("%d %s", r.Status, r.Reason) }

// APNs is where pushes go, and who sends them.
type APNs struct {
	URL, Topic, KeyID, TeamID string
	Key                       *ecdsa.PrivateKey
	Roots                     *x509.CertPool // nil for Apple's
}

// Orders sends pushes, for one goroutine. Tokens has the device tokens of each customer's phones. Tests replace Now and
// Sleep.
type Orders struct {
	Tokens map[string]map[string]bool
	Now    func() time.Time
	Sleep  func(time.Duration)

	apns   APNs
	client *http.Client
	jwt    string
	issued time.Time
}

// New returns a provider for these device tokens.
func New(apns APNs, tokens map[string]map[string]bool) *Orders {
	transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: apns.Roots}}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	return &Orders{Tokens: tokens, Now: time.Now, Sleep: time.Sleep, apns: apns, client: client}
}

// Shipped notifies the customer that the order was shipped.
func (o *Orders) Shipped(order, customer string) error {
	alert := map[string]string{"title": "Order shipped", "body": "Order " + order + " is on its way."}
	payload, err := json.Marshal(map[string]any{"aps": map[string]any{"alert": alert, "sound": "default"}, "orderId": order})
	if err != nil {
		return err
	}
	for token := range o.Tokens[customer] {
		refused, err := o.send(token, payload, "order-"+order)
		if err != nil {
			return err
		}
		if refused != nil && refused.Status == http.StatusGone { // the app was uninstalled
			delete(o.Tokens[customer], token)
		} else if refused != nil {
			return refused
		}
	}
	return nil
}

// send sends a push until it has an answer that is final.
func (o *Orders) send(token string, payload []byte, collapseID string) (refused *Refused, err error) {
	for attempt := 0; attempt < attempts; attempt++ {
		// If an answer was lost, the push is sent twice. With a collapse ID, the phone still shows it once.
		refused, err = o.request(token, payload, collapseID)
		if err != nil {
			continue // with a new connection, if this one ended
		}
		if refused == nil || refused.Status != http.StatusTooManyRequests && refused.Status != http.StatusServiceUnavailable {
			return refused, nil
		}
		if attempt < attempts-1 {
			o.Sleep(time.Second << attempt)
		}
	}
	return refused, err
}

func (o *Orders) request(token string, payload []byte, collapseID string) (*Refused, error) {
	request, err := http.NewRequest("POST", o.apns.URL+"/3/device/"+token, bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	jwt, err := o.providerToken()
	if err != nil {
		return nil, err
	}
	request.Header.Set("authorization", "bearer "+jwt)
	request.Header.Set("apns-topic", o.apns.Topic)
	request.Header.Set("apns-push-type", "alert")
	request.Header.Set("apns-collapse-id", collapseID)
	response, err := o.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode == http.StatusOK {
		return nil, err
	}
	refused := &Refused{Status: response.StatusCode}
	return refused, json.Unmarshal(body, refused)
}

// providerToken returns the current token, renewed in time.
func (o *Orders) providerToken() (string, error) {
	now := o.Now()
	if now.Sub(o.issued) < tokenAge {
		return o.jwt, nil
	}
	encode := base64.RawURLEncoding.EncodeToString
	head := encode([]byte(fmt.Sprintf(`{"alg":"ES256","kid":%q}`, o.apns.KeyID)))
	claims := encode([]byte(fmt.Sprintf(`{"iss":%q,"iat":%d}`, o.apns.TeamID, now.Unix())))
	hash := sha256.Sum256([]byte(head + "." + claims))
	r, s, err := ecdsa.Sign(rand.Reader, o.apns.Key, hash[:])
	if err != nil {
		return "", err
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	o.jwt, o.issued = head+"."+claims+"."+encode(signature), now
	return o.jwt, nil
}
