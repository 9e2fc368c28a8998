package io.dure.host.trust;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes the two kinds of certificate that a cluster has; all keys are on the curve P-256. */
final class CertificateIssuer {
  /** Long, because a new authority means a new cluster key on every machine. */
  static final Duration CA_VALIDITY = Duration.ofDays(30 * 365);

  /** What browsers and other tools still accept. */
  static final Duration SERVER_VALIDITY = Duration.ofDays(397);

  /** Certificates begin so long before they are made, for the clocks of other machines. */
  private static final Duration BACKDATED = Duration.ofDays(1);

  private static final int SERIAL_BITS = 120;

  private final SecureRandom random;

  CertificateIssuer(SecureRandom random) {
    this.random = random;
  }

  /** A self-signed authority. */
  TlsIdentity authority(String name, Instant now) throws IOException {
    try {
      KeyPair pair = newKeys();
      X500Name self = name(name);
      X509v3CertificateBuilder builder = builder(self, self, pair, now, CA_VALIDITY);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
      return signed(builder, pair, pair.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("cannot create the cluster's certificate authority", e);
    }
  }

  /** A certificate that no authority has signed. */
  TlsIdentity alone(String hostName, Instant now) throws IOException {
    try {
      KeyPair pair = newKeys();
      X500Name self = name(hostName);
      X509v3CertificateBuilder builder = builder(self, self, pair, now, CA_VALIDITY);
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      return signed(builder, pair, pair.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("cannot create a certificate", e);
    }
  }

  /** A server's certificate, signed by the authority. */
  TlsIdentity server(String hostName, TlsIdentity ca, Instant now) throws IOException {
    try {
      KeyPair pair = newKeys();
      X500Name issuer =
          X500Name.getInstance(ca.certificate().getSubjectX500Principal().getEncoded());
      X509v3CertificateBuilder builder =
          builder(issuer, name(hostName), pair, now, SERVER_VALIDITY);
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(new GeneralName(GeneralName.dNSName, hostName)));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(ca.certificate()));
      return signed(builder, pair, ca.key());
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("cannot create the server's certificate", e);
    }
  }

  private X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, KeyPair pair, Instant now, Duration validity) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS),
        Date.from(now.minus(BACKDATED)),
        Date.from(now.plus(validity)),
        subject,
        pair.getPublic());
  }

  private static TlsIdentity signed(
      X509v3CertificateBuilder builder, KeyPair pair, PrivateKey signer)
      throws GeneralSecurityException, OperatorCreationException {
    return new TlsIdentity(
        pair.getPrivate(),
        new JcaX509CertificateConverter()
            .getCertificate(
                builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer))));
  }

  private KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    return generator.generateKeyPair();
  }

  private static X500Name name(String commonName) {
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build();
  }
}
