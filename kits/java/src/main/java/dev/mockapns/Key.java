package dev.mockapns;

import java.nio.file.Path;
import java.security.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;

/**
 * A key that signs provider tokens.
 *
 * @param apns where it is registered
 * @param id the identifier of the key, for the header {@code kid}
 * @param teamId the identifier of the team, for the claim {@code iss}
 * @param pem the private key, as in the .p8 file that Apple provides
 * @param file the file of the private key, as long as the test runs
 */
public record Key(MockAPNs apns, String id, String teamId, String pem, Path file) {
    /** The private key. */
    public PrivateKey privateKey() {
        byte[] bytes = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
        return MockAPNsException.unless("cannot read the key of the server (%s)",
            () -> KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes)));
    }

    /** A provider token, issued now by the server's clock, for {@code authorization} after {@code bearer}. */
    public String providerToken() { return providerToken(apns.clock().instant()); }

    /** A provider token that was issued at this time. */
    public String providerToken(Instant issued) {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String head = "{\"alg\":\"ES256\",\"kid\":\"" + id + "\"}";
        String claims = "{\"iss\":\"" + teamId + "\",\"iat\":" + issued.getEpochSecond() + "}";
        String signed = base64.encodeToString(head.getBytes()) + "." + base64.encodeToString(claims.getBytes());
        return MockAPNsException.unless("cannot sign a provider token (%s)", () -> {
            Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
            signature.initSign(privateKey());
            signature.update(signed.getBytes());
            return signed + "." + base64.encodeToString(signature.sign());
        });
    }

    /** Revokes the key: its tokens are rejected from now on. */
    public void revoke() { apns.call("DELETE", "keys/" + id, null); }
}
