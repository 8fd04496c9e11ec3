//! `cargo xtask ssh-interop` exchanges keys, signatures and lists of allowed signers with `ssh-keygen`, in both
//! directions.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use moissanite_ssh::{
    AllowedSigners, Hash, Instant, MessageHash, PrivateKey, PublicKey, SshSignature, SysRng,
};

use crate::process;

/// The variable that names the program, if it is not the one of the system.
const VARIABLE: &str = "MOISSANITE_SSH_KEYGEN";
const MESSAGE: &[u8] = b"a message\n";
const PASSPHRASE: &str = "a passphrase";
const CIPHERS: [&str; 9] = [
    "aes128-ctr",
    "aes192-ctr",
    "aes256-ctr",
    "aes128-cbc",
    "aes192-cbc",
    "aes256-cbc",
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "chacha20-poly1305@openssh.com",
];
/// Lines of allowed signers, in which KEY and OTHER stand for public keys, and a principal, a namespace and a time
/// in UTC. Both programs have to decide in the same way whether the key may sign.
const LINES: [(&str, &str, &str, &str); 28] = [
    ("a@b KEY", "a@b", "file", "20260601"),
    ("a@b KEY", "a@c", "file", "20260601"),
    ("a@b KEY", "A@B", "file", "20260601"),
    ("a@b KEY", "a@b", "git", "20260601"),
    ("a@b OTHER", "a@b", "file", "20260601"),
    ("a@b OTHER\na@b KEY", "a@b", "file", "20260601"),
    ("*@b KEY", "a@b", "file", "20260601"),
    ("*@b,!a@b KEY", "a@b", "file", "20260601"),
    ("?@b KEY", "a@b", "file", "20260601"),
    ("?@b KEY", "aa@b", "file", "20260601"),
    ("a*b*c KEY", "abcbc", "file", "20260601"),
    ("x,y,a@b KEY", "a@b", "file", "20260601"),
    ("\"a@b,c\" KEY", "c", "file", "20260601"),
    ("a@b namespaces=\"file\" KEY", "a@b", "file", "20260601"),
    ("a@b namespaces=\"git\" KEY", "a@b", "file", "20260601"),
    ("a@b namespaces=\"git,f*\" KEY", "a@b", "file", "20260601"),
    ("a@b namespaces=\"*,!file\" KEY", "a@b", "file", "20260601"),
    ("a@b cert-authority KEY", "a@b", "file", "20260601"),
    (
        "a@b valid-after=\"20260601Z\" KEY",
        "a@b",
        "file",
        "20260601",
    ),
    (
        "a@b valid-after=\"20260602Z\" KEY",
        "a@b",
        "file",
        "20260601",
    ),
    (
        "a@b valid-before=\"20260601Z\" KEY",
        "a@b",
        "file",
        "20260601",
    ),
    (
        "a@b valid-before=\"20260531Z\" KEY",
        "a@b",
        "file",
        "20260601",
    ),
    (
        "a@b valid-before=\"202605312359Z\" KEY",
        "a@b",
        "file",
        "20260531",
    ),
    (
        "a@b valid-after=\"20260101Z\",valid-before=\"20270101Z\",namespaces=\"file\" KEY",
        "a@b",
        "file",
        "20260601",
    ),
    ("a@b unknown KEY", "a@b", "file", "20260601"),
    (
        "a@b namespaces=\"file\",namespaces=\"git\" KEY",
        "a@b",
        "file",
        "20260601",
    ),
    ("# a@b KEY", "a@b", "file", "20260601"),
    (
        "a@b ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA x\na@b KEY",
        "a@b",
        "file",
        "20260601",
    ),
];

/// Exchanges files with the program.
pub(crate) fn run() -> Result<()> {
    let folder = process::target_directory()?.join("ssh-interop");
    process::make_empty(&folder)?;
    let program = std::env::var_os(VARIABLE).map_or("ssh-keygen".into(), PathBuf::from);
    let openssh = OpenSsh { program, folder };
    let made = openssh.call("-q -t mldsa44-ed25519 -N  -C a@b -f theirs", false);
    if !made.is_ok_and(|made| made) {
        println!(
            "NOT CHECKED: {} does not know mldsa44-ed25519",
            openssh.program.display()
        );
        println!("{VARIABLE} can name the ssh-keygen of OpenSSH 10.6 or later");
        return Ok(());
    }
    openssh.reads_ours()?;
    openssh.writes_theirs()?;
    openssh.decides_alike()?;
    println!(
        "ssh-interop: {} reads our files, and we read its files",
        openssh.program.display()
    );
    Ok(())
}

/// The counterpart, in a folder with the files that are exchanged.
struct OpenSsh {
    program: PathBuf,
    folder: PathBuf,
}

impl OpenSsh {
    /// Calls the program with a line of arguments, of which an empty one is between two spaces, and with the message
    /// as input if `input`. Returns whether it succeeds.
    fn call(&self, line: &str, input: bool) -> Result<bool> {
        self.call_with(&line.split(' ').collect::<Vec<_>>(), input)
    }

    fn call_with(&self, arguments: &[&str], input: bool) -> Result<bool> {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.folder);
        command.env("TZ", "UTC").stdin(Stdio::null());
        if input {
            let message = self.path("message");
            fs::write(&message, MESSAGE)?;
            command.stdin(File::open(message)?);
        }
        Ok(process::captured(&mut command)?.status.success())
    }

    /// Calls the program, and returns its output.
    fn output(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.program);
        let output = process::captured(command.args(arguments).current_dir(&self.folder))?;
        ensure!(
            output.status.success(),
            "{}: {}",
            process::line(&command),
            output.status
        );
        Ok(String::from_utf8(output.stdout)?)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn read(&self, name: &str) -> Result<String> {
        process::read(&self.path(name))
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path(name);
        fs::write(&path, text)?;
        only_owner(&path)
    }

    /// Our files are right for the program.
    fn reads_ours(&self) -> Result<()> {
        let key = PrivateKey::try_generate(&mut SysRng)?.with_comment("a@b")?;
        let public = key.public_key().to_openssh();
        self.write("ours.pub", &public)?;
        self.write("ours", &key.to_openssh()?)?;
        let encrypted = key.to_encrypted_openssh(&mut SysRng, PASSPHRASE.as_bytes(), 3)?;
        self.write("ours.encrypted", &encrypted)?;
        for (file, passphrase) in [("ours", ""), ("ours.encrypted", PASSPHRASE)] {
            let line = self.output(&["-y", "-P", passphrase, "-f", file])?;
            ensure!(line.trim_end() == public, "{file} has another public key");
        }
        let line = self.output(&["-l", "-f", "ours.pub"])?;
        let fingerprint = key.public_key().fingerprint();
        ensure!(line.contains(&fingerprint), "another fingerprint: {line}");

        self.write("signers", &format!("a@b {public}"))?;
        for function in [Hash::Sha256, Hash::Sha512] {
            let hash = MessageHash::of(function, MESSAGE);
            for signature in [
                key.try_sign("file", &hash)?,
                key.try_sign_with_rng(&mut SysRng, "file", &hash)?,
            ] {
                self.write("message.sig", &signature.to_pem()?)?;
                let verify = "-Y verify -n file -f signers -I a@b -s message.sig";
                ensure!(self.call(verify, true)?, "our signature is refused");
                let verify = verify.replace("file", "git");
                ensure!(!self.call(&verify, true)?, "another namespace is accepted");
            }
        }
        Ok(())
    }

    /// We read the program's files.
    fn writes_theirs(&self) -> Result<()> {
        let key = PrivateKey::from_openssh(&self.read("theirs")?)?;
        let public = PublicKey::from_openssh(&self.read("theirs.pub")?)?;
        ensure!(
            key.public_key() == &public && public.comment() == "a@b",
            "another key"
        );
        for cipher in CIPHERS {
            let name = format!("theirs.{cipher}");
            self.write(&name, &self.read("theirs")?)?;
            let words = [
                "-q", "-p", "-P", "", "-N", PASSPHRASE, "-a", "2", "-Z", cipher, "-f", &name,
            ];
            ensure!(self.call_with(&words, false)?, "{cipher} is refused");
            let text = self.read(&name)?;
            let again = PrivateKey::from_encrypted_openssh(&text, PASSPHRASE.as_bytes());
            let again = again.with_context(|| cipher)?;
            let [a, b] = [&key, &again].map(|key| key.signing_key().as_seed().as_bytes());
            ensure!(a == b, "{cipher}: another key");
        }
        for (function, name) in [(Hash::Sha256, "sha256"), (Hash::Sha512, "sha512")] {
            let signed = self.path("message.sig");
            if signed.exists() {
                fs::remove_file(&signed)?;
            }
            let sign = format!("-q -Y sign -n file -O hashalg={name} -f theirs message");
            ensure!(self.call(&sign, true)?, "{name} is refused");
            let signature = SshSignature::from_pem(&self.read("message.sig")?)?;
            ensure!(
                signature.public_key() == &public,
                "a signature by another key"
            );
            signature.verify("file", &MessageHash::of(function, MESSAGE))?;
        }
        Ok(())
    }

    /// The program and this crate read lists of allowed signers in the same way.
    fn decides_alike(&self) -> Result<()> {
        let key = self.read("theirs.pub")?;
        let other = self.read("ours.pub")?;
        let signature = SshSignature::from_pem(&self.read("message.sig")?)?;
        let hash = MessageHash::of(signature.hash(), MESSAGE);
        let mut permitted = 0;
        for (lines, principal, namespace, date) in LINES {
            let list = lines.replace("KEY", key.trim_end());
            let list = list.replace("OTHER", other.trim_end());
            self.write("signers", &list)?;
            let line = format!(
                "-Y verify -n {namespace} -f signers -I {principal} -s message.sig -Overify-time={date}Z"
            );
            let theirs = self.call(&line, true)?;
            let at = Instant::utc(date.parse()?);
            let ours = AllowedSigners::parse(&list).is_ok_and(|list| {
                let verified = list.verify(principal, namespace, &hash, &signature, at);
                verified.is_ok()
            });
            if ours != theirs {
                bail!("{lines:?} permits {principal}: ssh-keygen {theirs}, we {ours}");
            }
            permitted += usize::from(ours);
        }
        ensure!(
            permitted > 0 && permitted < LINES.len(),
            "all decisions are the same"
        );
        Ok(())
    }
}

/// The program refuses private keys that others can read.
#[cfg(unix)]
fn only_owner(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::set_permissions(
        path,
        fs::Permissions::from_mode(0o600),
    )?)
}
#[cfg(not(unix))]
fn only_owner(_: &Path) -> Result<()> {
    Ok(())
}
