// Asks the server for anything, with the transport of the page.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net/http"
	"os"

	"golang.org/x/net/http2"
)

func main() {
	// LINES OF THE PAGE
	client := &http.Client{Transport: transport}
	response, err := client.Get("https://localhost:" + os.Getenv("PORT") + "/")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("verified", response.Proto)
}
