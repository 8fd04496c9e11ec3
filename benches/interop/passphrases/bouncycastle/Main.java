import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.crypto.util.PBKDF2Config;
import org.bouncycastle.crypto.util.ScryptConfig;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.operator.OutputEncryptor;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfoBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEInputDecryptorProviderBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEOutputEncryptorBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/** Reads encrypted private keys of the command moissanite from one folder, and writes others to another one. */
public class Main {
    static final byte[] MESSAGE = "a message\n".getBytes();

    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        Path ours = Path.of(arguments[0]);
        Path theirs = Path.of(arguments[1]);
        char[] passphrase = Files.readString(ours.resolve("passphrase")).strip().toCharArray();
        for (String algorithm : List.of("ml-dsa-44", "ml-dsa-65", "ml-dsa-87", "ed25519")) {
            read(ours, algorithm, passphrase);
            write(theirs, algorithm, passphrase);
        }
    }

    static void read(Path folder, String algorithm, char[] passphrase) throws Exception {
        String pem = Files.readString(folder.resolve(algorithm + ".pem"));
        byte[] der = Files.readAllBytes(folder.resolve(algorithm + ".der"));
        byte[] spki = pem(Files.readString(folder.resolve(algorithm + ".public.pem")));
        PublicKey expected =
                KeyFactory.getInstance(algorithm, "BC").generatePublic(new X509EncodedKeySpec(spki));
        PKCS8EncryptedPrivateKeyInfo parsed =
                (PKCS8EncryptedPrivateKeyInfo) new PEMParser(new StringReader(pem)).readObject();
        for (PKCS8EncryptedPrivateKeyInfo key :
                List.of(parsed, new PKCS8EncryptedPrivateKeyInfo(der))) {
            PrivateKeyInfo info = decrypt(key, passphrase);
            PrivateKey found =
                    new JcaPEMKeyConverter().setProvider("BC").getPrivateKey(info);
            Signature signature = Signature.getInstance(algorithm, "BC");
            signature.initSign(found);
            signature.update(MESSAGE);
            byte[] signed = signature.sign();
            signature.initVerify(expected);
            signature.update(MESSAGE);
            check(signature.verify(signed), algorithm + " has another key");
            check(!opens(key, "wrong", info), algorithm + " opens with another passphrase");
        }
    }

    /** Whether this passphrase gives the same key. */
    static boolean opens(PKCS8EncryptedPrivateKeyInfo key, String passphrase, PrivateKeyInfo info) {
        try {
            byte[] found = decrypt(key, passphrase.toCharArray()).getEncoded();
            return Arrays.equals(found, info.getEncoded());
        } catch (PKCSException | IOException | IllegalArgumentException error) {
            return false;
        }
    }

    static PrivateKeyInfo decrypt(PKCS8EncryptedPrivateKeyInfo key, char[] passphrase)
            throws PKCSException {
        return key.decryptPrivateKeyInfo(
                new JcePKCSPBEInputDecryptorProviderBuilder().setProvider("BC").build(passphrase));
    }

    static void write(Path folder, String algorithm, char[] passphrase) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(algorithm, "BC").generateKeyPair();
        text(folder.resolve(algorithm + ".public.pem"), "PUBLIC KEY", pair.getPublic().getEncoded());
        Map<String, OutputEncryptor> schemes = new LinkedHashMap<>();
        schemes.put("default", pkcs8(PKCS8Generator.AES_256_CBC, passphrase));
        schemes.put("aes-128", pkcs8(PKCS8Generator.AES_128_CBC, passphrase));
        schemes.put("aes-192", pkcs8(PKCS8Generator.AES_192_CBC, passphrase));
        schemes.put("3des", pkcs8(PKCS8Generator.DES3_CBC, passphrase));
        schemes.put("pkcs12", pkcs8(PKCS8Generator.PBE_SHA1_3DES, passphrase));
        ASN1ObjectIdentifier cbc = NISTObjectIdentifiers.id_aes256_CBC;
        schemes.put("sha-1", pbkdf2(PKCSObjectIdentifiers.id_hmacWithSHA1, 16, cbc, passphrase));
        schemes.put("sha-224", pbkdf2(PKCSObjectIdentifiers.id_hmacWithSHA224, 16, cbc, passphrase));
        schemes.put("sha-256", pbkdf2(PKCSObjectIdentifiers.id_hmacWithSHA256, 32, cbc, passphrase));
        schemes.put("sha-384", pbkdf2(PKCSObjectIdentifiers.id_hmacWithSHA384, 16, cbc, passphrase));
        schemes.put("sha-512", pbkdf2(PKCSObjectIdentifiers.id_hmacWithSHA512, 32, cbc, passphrase));
        // Unless it is set, the salt is as long as the output of the function.
        schemes.put("long-salt", pbkdf2(PKCSObjectIdentifiers.id_hmacWithSHA512, 64, cbc, passphrase));
        schemes.put("sha3-256", pbkdf2(NISTObjectIdentifiers.id_hmacWithSHA3_256, 16, cbc, passphrase));
        ASN1ObjectIdentifier gcm = NISTObjectIdentifiers.id_aes256_GCM;
        schemes.put("gcm", pbkdf2(PKCSObjectIdentifiers.id_hmacWithSHA256, 16, gcm, passphrase));
        ScryptConfig scrypt = new ScryptConfig.Builder(1 << 14, 8, 1).withSaltLength(16).build();
        schemes.put(
                "scrypt",
                new JcePKCSPBEOutputEncryptorBuilder(scrypt, NISTObjectIdentifiers.id_aes256_CBC)
                        .setProvider("BC")
                        .build(passphrase));
        for (Map.Entry<String, OutputEncryptor> scheme : schemes.entrySet()) {
            PrivateKeyInfo info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
            byte[] der =
                    new PKCS8EncryptedPrivateKeyInfoBuilder(info).build(scheme.getValue()).getEncoded();
            String name = algorithm + "." + scheme.getKey();
            text(folder.resolve(name + ".pem"), "ENCRYPTED PRIVATE KEY", der);
            Files.write(folder.resolve(name + ".der"), der);
        }
    }

    /** PBKDF2 with HMAC-SHA-1, or the algorithm itself. */
    static OutputEncryptor pkcs8(ASN1ObjectIdentifier algorithm, char[] passphrase)
            throws Exception {
        // This class takes the low byte of each character, so that each one stands for a byte of UTF-8 here.
        byte[] bytes = new String(passphrase).getBytes(StandardCharsets.UTF_8);
        char[] low = new String(bytes, StandardCharsets.ISO_8859_1).toCharArray();
        return new JceOpenSSLPKCS8EncryptorBuilder(algorithm)
                .setProvider("BC")
                .setPassword(low)
                .build();
    }

    static OutputEncryptor pbkdf2(
            ASN1ObjectIdentifier prf, int saltLength, ASN1ObjectIdentifier cipher, char[] passphrase)
            throws Exception {
        AlgorithmIdentifier function = new AlgorithmIdentifier(prf, DERNull.INSTANCE);
        PBKDF2Config config =
                new PBKDF2Config.Builder()
                        .withPRF(function)
                        .withSaltLength(saltLength)
                        .withIterationCount(10_000)
                        .build();
        return new JcePKCSPBEOutputEncryptorBuilder(config, cipher)
                .setProvider("BC")
                .build(passphrase);
    }

    static byte[] pem(String text) throws Exception {
        return new PemReader(new StringReader(text)).readPemObject().getContent();
    }

    static void text(Path file, String label, byte[] der) throws Exception {
        try (PemWriter writer = new PemWriter(Files.newBufferedWriter(file))) {
            writer.writeObject(new PemObject(label, der));
        }
    }

    static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
