import java.math.BigInteger;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Security;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/** Writes keys, certificates and messages of CMS (make FOLDER), or verifies messages (check FOLDER). */
public class Main {
    static final byte[] CONTENT = "a content\n".getBytes();

    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        Path folder = Path.of(arguments[1]);
        for (String set : List.of("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")) {
            if (arguments[0].equals("make")) {
                make(folder, set);
            } else {
                check(folder, set);
            }
        }
    }

    static void make(Path folder, String set) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(set, "BC").generateKeyPair();
        ContentSigner signer = new JcaContentSignerBuilder(set).build(pair.getPrivate());
        X500Name name = new X500Name("CN=" + set);
        Date from = new Date(1_767_225_600_000L);
        Date until = new Date(1_798_761_600_000L);
        X509CertificateHolder certificate =
                new JcaX509v3CertificateBuilder(
                                name, BigInteger.TEN, from, until, name, pair.getPublic())
                        .build(signer);
        Files.write(folder.resolve(set + ".key"), pair.getPrivate().getEncoded());
        Files.write(folder.resolve(set + ".crt"), certificate.getEncoded());
        for (boolean attached : new boolean[] {true, false}) {
            for (boolean direct : new boolean[] {true, false}) {
                CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
                JcaSignerInfoGeneratorBuilder builder =
                        new JcaSignerInfoGeneratorBuilder(
                                new JcaDigestCalculatorProviderBuilder().build());
                builder.setDirectSignature(direct);
                generator.addSignerInfoGenerator(builder.build(signer, certificate));
                generator.addCertificate(certificate);
                CMSSignedData message =
                        generator.generate(new CMSProcessableByteArray(CONTENT), attached);
                String kind = (attached ? "attached" : "detached") + (direct ? "-direct" : "");
                byte[] der = message.toASN1Structure().getEncoded("DER");
                Files.write(folder.resolve(set + "-" + kind + ".theirs"), der);
            }
        }
        // Another digest algorithm than the default, and no certificate.
        CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
        JcaSignerInfoGeneratorBuilder builder =
                new JcaSignerInfoGeneratorBuilder(new JcaDigestCalculatorProviderBuilder().build());
        builder.setContentDigest(new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha512));
        generator.addSignerInfoGenerator(builder.build(signer, certificate));
        CMSSignedData message = generator.generate(new CMSProcessableByteArray(CONTENT), true);
        Files.write(
                folder.resolve(set + "-attached-sha512.theirs"),
                message.toASN1Structure().getEncoded("DER"));
    }

    static void check(Path folder, String set) throws Exception {
        byte[] der = Files.readAllBytes(folder.resolve(set + ".crt"));
        X509CertificateHolder certificate = new X509CertificateHolder(der);
        int count = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, set + "-*.ours")) {
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                CMSSignedData message =
                        file.toString().contains("detached")
                                ? new CMSSignedData(new CMSProcessableByteArray(CONTENT), bytes)
                                : new CMSSignedData(bytes);
                for (SignerInformation signer : message.getSignerInfos()) {
                    if (!signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(certificate))) {
                        throw new IllegalStateException(file.toString());
                    }
                    count++;
                }
            }
        }
        if (count == 0) {
            throw new IllegalStateException("no message of " + set);
        }
        System.out.println(set + ": " + count + " messages are valid");
    }
}
