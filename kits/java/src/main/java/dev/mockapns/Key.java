package dev.mockapns;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;

/** A key that signs provider tokens. */
public final class Key {
    private final MockAPNs apns;
    private final Json generated;
    private final Path file;

    Key(MockAPNs apns, Json generated) {
        this.apns = apns;
        this.generated = generated;
        file = apns.write("AuthKey_" + id() + ".p8", pem().getBytes());
    }

    /** The identifier of the key, for the header {@code kid}. */
    public String id() { return generated.get("keyId").text(); }
    /** The identifier of the team, for the claim {@code iss}. */
    public String teamId() { return generated.get("teamId").text(); }
    /** The private key, as in the .p8 file that Apple provides. */
    public String pem() { return generated.get("p8").text(); }
    /** The file of the private key, as long as the test runs. */
    public Path file() { return file; }
    /** The private key. */
    public PrivateKey privateKey() {
        byte[] bytes = Base64.getMimeDecoder().decode(pem().replaceAll("-----[^-]*-----", ""));
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException error) {
            throw new MockAPNsException("cannot read the key of the server", error);
        }
    }
    /** A provider token, issued now by the clock of the server, for the header {@code authorization} after {@code bearer}. */
    public String providerToken() { return providerToken(apns.clock().instant()); }
    /** A provider token that was issued at this time. */
    public String providerToken(Instant issued) {
        String head = encode("{\"alg\":\"ES256\",\"kid\":\"" + id() + "\"}");
        String claims = encode("{\"iss\":\"" + teamId() + "\",\"iat\":" + issued.getEpochSecond() + "}");
        try {
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(privateKey());
            signature.update((head + "." + claims).getBytes());
            return head + "." + claims + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
        } catch (GeneralSecurityException error) {
            throw new MockAPNsException("cannot sign a provider token", error);
        }
    }
    /** Revokes the key: its tokens are rejected from now on. */
    public void revoke() { apns.call("DELETE", "keys/" + id(), null); }

    private static String encode(String json) { return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes()); }
}
