// Sends a push to Apple's host, with Go's own client and roots: the standard library only.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	url := "https://" + os.Getenv("APNS_HOST") + "/3/device/" + os.Getenv("DEVICE")
	request, err := http.NewRequest("POST", url, strings.NewReader(`{"aps":{"alert":"Go"}}`))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("authorization", "bearer "+os.Getenv("PROVIDER_TOKEN"))
	request.Header.Set("apns-topic", "com.example.app")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode)
}
