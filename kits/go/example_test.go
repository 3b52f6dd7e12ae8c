package mockapns_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"mockapns"
)

// orderShipped is the provider: it gets everything from the handle.
func orderShipped(apns *mockapns.MockAPNs, order, deviceToken string) error {
	client := http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: apns.RootCAs()}}}
	defer client.CloseIdleConnections()
	payload := fmt.Sprintf(`{"aps":{"alert":{"title":"Order shipped"}},"orderID":%q}`, order)
	request, err := http.NewRequest("POST", apns.URL+"/3/device/"+deviceToken, strings.NewReader(payload))
	if err != nil {
		return err
	}
	request.Header.Set("authorization", "bearer "+apns.Key.ProviderToken())
	request.Header.Set("apns-topic", "com.example.app")
	request.Header.Set("apns-push-type", "alert")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("refused: %s", response.Status)
	}
	return nil
}

func TestShipped(t *testing.T) {
	apns := mockapns.New(t)
	phone := apns.Phone("com.example.app")
	if err := orderShipped(apns, "17", phone.Token); err != nil {
		t.Fatal(err)
	}
	push := apns.Expect(mockapns.To(phone), mockapns.Title("Order shipped"))
	if push.Payload()["orderID"] != "17" {
		t.Errorf("expected order 17, got %v", push.Payload())
	}
}

func TestShippedWhileOffline(t *testing.T) {
	apns := mockapns.New(t)
	phone := apns.Phone("com.example.app", mockapns.Offline)
	for _, order := range []string{"17", "18"} {
		if err := orderShipped(apns, order, phone.Token); err != nil {
			t.Fatal(err)
		}
	}
	apns.Clock.Advance(time.Hour)
	phone.GoOnline()
	if shown := phone.Inbox(); len(shown) != 1 {
		t.Errorf("expected one notification, got %v", shown)
	}
}

func TestTooManyRequests(t *testing.T) {
	apns := mockapns.New(t)
	phone := apns.Phone("com.example.app")
	apns.AddFault(mockapns.Respond("TooManyRequests"), mockapns.To(phone), mockapns.Times(1))
	if err := orderShipped(apns, "17", phone.Token); err == nil {
		t.Error("expected an error")
	}
	apns.Expect(mockapns.To(phone), mockapns.Reason("TooManyRequests"))
	apns.ExpectNone(mockapns.To(phone), mockapns.Accepted)
}
