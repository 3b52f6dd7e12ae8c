package orders

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"

	"mockapns"
)

const topic = "com.example.shop"

// shop is a provider for a customer "alice", her phone, and the APNs that they use.
type shop struct {
	*Orders
	*mockapns.MockAPNs
	t      *testing.T
	phone  *mockapns.Phone
	pauses []time.Duration
}

func newShop(t *testing.T, topicOfProvider string) *shop {
	t.Helper()
	t.Parallel()
	apns := mockapns.New(t)
	s := &shop{MockAPNs: apns, t: t, phone: apns.Phone(topic)}
	s.Orders = New(APNs{
		URL: apns.URL, Topic: topicOfProvider, KeyID: apns.Key.ID, TeamID: apns.Key.TeamID, Key: apns.Key.Private(), Roots: apns.RootCAs(),
	}, map[string]map[string]bool{"alice": {s.phone.Token: true}})
	s.Sleep = func(pause time.Duration) { s.pauses = append(s.pauses, pause) }
	return s
}

func (s *shop) ship(order string) {
	s.t.Helper()
	if err := s.Shipped(order, "alice"); err != nil {
		s.t.Fatal(err)
	}
}

func isOrder(order string) mockapns.Option { return mockapns.Payload("/orderId", order) }

func TestShippedOrderReachesThePhone(t *testing.T) {
	s := newShop(t, topic)
	s.ship("17")
	push := s.Expect(mockapns.To(s.phone), mockapns.Title("Order shipped"), mockapns.Delivery("delivered"), isOrder("17"))
	if len(push.Warnings()) > 0 {
		t.Fatal(push.Warnings())
	}
}

func TestRefusedPushIsAnError(t *testing.T) {
	s := newShop(t, "com example shop")
	var refused *Refused
	if err := s.Shipped("17", "alice"); !errors.As(err, &refused) || refused.Reason != "BadTopic" {
		t.Fatalf("expected BadTopic, got %v", err)
	}
}

func TestPhoneWithoutTheAppGetsNoMorePushes(t *testing.T) {
	s := newShop(t, topic)
	s.phone.Uninstall()
	s.ship("17")
	s.ship("18")
	s.ExpectExactly(1, mockapns.Status(410))
}

func TestPushIsSentAgainLater(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		status := status
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := newShop(t, topic)
			s.AddFault(mockapns.RespondStatus(status), mockapns.Times(2))
			s.ship("17")
			s.ExpectExactly(2, mockapns.Status(status))
			s.ExpectExactly(1, isOrder("17"))
			if want := []time.Duration{time.Second, 2 * time.Second}; !reflect.DeepEqual(s.pauses, want) {
				t.Fatalf("expected the pauses %v, got %v", want, s.pauses)
			}
		})
	}
}

func TestProviderTokenIsRenewedWithinTheHour(t *testing.T) {
	s := newShop(t, topic)
	s.ship("17")
	s.Clock.Advance(61 * time.Minute)
	s.Now = func() time.Time { return time.Now().Add(61 * time.Minute) }
	s.ship("18")
	s.ExpectExactly(2, mockapns.Where("verification", "verified"))
}

func TestPhoneThatWasOfflineShowsTheLastPush(t *testing.T) {
	s := newShop(t, topic)
	s.phone.GoOffline()
	for _, order := range []string{"17", "18", "19"} {
		s.ship(order)
	}
	s.phone.GoOnline()
	if shown := s.phone.Inbox(); len(shown) != 1 || shown[0].Body != "Order 19 is on its way." {
		t.Fatalf("expected only order 19, got %v", shown)
	}
}

func TestPushSurvivesTheEndOfItsStreamOrConnection(t *testing.T) {
	for name, effect := range map[string]mockapns.Effect{
		"goaway": {"goaway": map[string]any{"lastStream": "zero", "close": "now"}}, "stream": mockapns.ResetStream,
		"connection": mockapns.ResetConnection,
	} {
		effect := effect
		t.Run(name, func(t *testing.T) {
			s := newShop(t, topic)
			s.ship("17")
			s.AddFault(effect, mockapns.Times(1))
			s.ship("18")
			s.ship("19")
			for _, order := range []string{"17", "18", "19"} {
				s.Expect(isOrder(order))
			}
		})
	}
}

func TestParallelTestsDoNotAffectEachOther(t *testing.T) {
	for failures := 0; failures < 3; failures++ {
		failures := failures
		t.Run(fmt.Sprint(failures, " failures"), func(t *testing.T) { // in parallel, see newShop
			s := newShop(t, topic)
			s.AddFault(mockapns.RespondStatus(503), mockapns.Times(failures+1))
			s.ship(fmt.Sprint("order ", failures))
			s.ExpectExactly(1)
			s.Expect(isOrder(fmt.Sprint("order ", failures)))
			if len(s.pauses) != failures+1 {
				t.Fatalf("expected %d pauses, got %v", failures+1, s.pauses)
			}
		})
	}
}
