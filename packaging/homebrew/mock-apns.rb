# Builds mock-apns from source. Homebrew takes formulae only from a tap, and this one has no stable version yet:
#
#   brew tap-new local/mock-apns
#   cp packaging/homebrew/mock-apns.rb "$(brew --repository local/mock-apns)/Formula/"
#   brew install --HEAD local/mock-apns/mock-apns
#
# Not yet run: no Mac was at hand, and the project has no address yet. scripts/build-executable and scripts/install,
# which it calls, run elsewhere; `ruby -c` and RuboCop have read it. The version is taken from the tag.
class MockApns < Formula
  desc "Mock APNs server: real HTTP/2 and TLS, Apple's answers, every push readable"
  homepage "https://github.com/OWNER/mock-apns"
  license "Apache-2.0"
  head "https://github.com/OWNER/mock-apns.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.4", :build]
  depends_on "libnghttp2"
  depends_on macos: :sequoia
  depends_on "openssl@3"
  depends_on "sqlite"

  def install
    ENV.prepend_path "PKG_CONFIG_PATH", Formula["sqlite"].opt_lib/"pkgconfig"
    # Swift's sandbox cannot begin within Homebrew's, so scripts/install must not call `swift build` itself.
    system "scripts/build-executable", "release", "--disable-sandbox"
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "generate-manual"
    ENV["MOCK_APNS_TOOLS"] = buildpath/".build/release"
    system "scripts/install", prefix
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mock-apns --version") unless build.head?
    system bin/"mock-apns", "exec", "--", bin/"mock-apns", "send", "--title", "Shipped"
  end
end
