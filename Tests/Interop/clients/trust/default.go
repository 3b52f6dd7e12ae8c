// Asks the server for anything, with the roots that Go finds by itself.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	response, err := http.Get("https://localhost:" + os.Getenv("PORT") + "/")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("verified", response.Proto)
}
