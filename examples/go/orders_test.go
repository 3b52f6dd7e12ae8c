package orders

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"
)

func TestShippedOrderReachesThePhone(t *testing.T) {
	m := newMock(t, topic)
	m.ship("17")
	m.verify(object{
		"token": m.phone, "title": "Order shipped", "delivery": "delivered", "lint": object{"absent": true},
		"payload": object{"at": "/orderId", "equals": "17"},
	}, 1)
}

func TestRefusedPushIsAnError(t *testing.T) {
	m := newMock(t, "com example shop")
	var refused *Refused
	if err := m.Shipped("17", "alice"); !errors.As(err, &refused) || refused.Reason != "BadTopic" {
		t.Fatalf("expected BadTopic, got %v", err)
	}
}

func TestPhoneWithoutTheAppGetsNoMorePushes(t *testing.T) {
	m := newMock(t, topic)
	m.call("PATCH", "/registrations/"+m.phone, object{"state": "uninstalled"}, nil)
	m.ship("17")
	m.ship("18")
	m.verify(object{"verdict": object{"status": 410}}, 1)
}

func TestPushIsSentAgainLater(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		status := status
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			m := newMock(t, topic)
			m.fault(object{"respond": object{"status": status}}, 2)
			m.ship("17")
			m.verify(object{"verdict": object{"status": status}}, 2)
			m.verify(isOrder("17"), 1)
			if want := []time.Duration{time.Second, 2 * time.Second}; !reflect.DeepEqual(m.pauses, want) {
				t.Fatalf("expected the pauses %v, got %v", want, m.pauses)
			}
		})
	}
}

func TestProviderTokenIsRenewedWithinTheHour(t *testing.T) {
	m := newMock(t, topic)
	m.ship("17")
	m.call("POST", "/clock/advance", object{"by": "61m"}, nil)
	m.Now = func() time.Time { return time.Now().Add(61 * time.Minute) }
	m.ship("18")
	m.verify(object{"verification": "verified"}, 2)
}

func TestPhoneThatWasOfflineShowsTheLastPush(t *testing.T) {
	m := newMock(t, topic)
	m.call("PATCH", "/devices/@phone", object{"state": "offline"}, nil)
	for _, order := range []string{"17", "18", "19"} {
		m.ship(order)
	}
	m.call("PATCH", "/devices/@phone", object{"state": "online"}, nil)
	var inbox struct{ Notifications []struct{ Body string } }
	m.call("GET", "/devices/@phone/inbox", nil, &inbox)
	if len(inbox.Notifications) != 1 || inbox.Notifications[0].Body != "Order 19 is on its way." {
		t.Fatalf("expected only order 19, got %v", inbox.Notifications)
	}
}

func TestPushSurvivesTheEndOfItsStreamOrConnection(t *testing.T) {
	for name, action := range map[string]object{
		"goaway": {"goaway": object{"lastStream": "zero", "close": "now"}}, "stream": {"stream": object{"reset": "INTERNAL_ERROR"}},
		"connection": {"connection": "rst"},
	} {
		action := action
		t.Run(name, func(t *testing.T) {
			m := newMock(t, topic)
			m.ship("17")
			m.fault(action, 1)
			m.ship("18")
			m.ship("19")
			for _, order := range []string{"17", "18", "19"} {
				m.verify(isOrder(order), object{"atLeast": 1})
			}
		})
	}
}

func TestNamespacesDoNotAffectEachOther(t *testing.T) {
	for failures := 0; failures < 3; failures++ {
		failures := failures
		t.Run(fmt.Sprint(failures, " failures"), func(t *testing.T) { // in parallel, see newMock
			m := newMock(t, topic)
			m.fault(object{"respond": object{"status": 503}}, failures+1)
			m.ship(fmt.Sprint("order ", failures))
			m.verify(object{}, 1)
			m.verify(isOrder(fmt.Sprint("order ", failures)), 1)
			if len(m.pauses) != failures+1 {
				t.Fatalf("expected %d pauses, got %v", failures+1, m.pauses)
			}
		})
	}
}
