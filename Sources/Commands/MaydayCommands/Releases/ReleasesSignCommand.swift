import Arguments
import Bytes
import CommandSupport
import Crypto
import JSON
import Terminal

/// `mayday releases sign`
struct ReleasesSignCommand: Command {
  static let name = "sign"
  static let summary = "Sign an artefact for Sparkle with your own key."
  static let discussion = """
    Prints the EdDSA signature of a file as Sparkle checks it. The key stays where it is: only the signature goes \
    to the home or the server, by `releases edit --ed-signature`. The key file is what Sparkle's `generate_keys -x` \
    writes: 32 bytes in base64.
    """
  static let examples = [
    Example(
      "mayday releases sign Tern-1.1.0.app.zip --key sparkle.key", "The signature, in base64."),
    Example("mayday releases sign Tern.dmg --key sparkle.key --json", "With the public key."),
  ]

  @Argument("FILE", help: "An artefact: .app.zip, .dmg, .pkg, .zip.") var file: String
  @Option("--key", help: "The file with the private key.", value: "FILE") var key: String?
  @OptionGroup var output = OutputOptions()

  /// The most bytes of a key file, with whitespace around the text.
  private static let keyLimit = 4 << 10
  /// An older form has the key itself and the public key in place of what it was made of.
  private static let oldKeySize = 96

  func validate() throws(UsageError) {
    if key == nil { throw UsageError("--key is missing: the file with Sparkle's private key") }
  }

  func run() throws {
    let seed = try Self.seed(in: key ?? "")
    let bytes = try ByteView(mapping: file)
    guard !bytes.isEmpty else { throw CommandFailure("\(file): the file is empty", .failed) }
    guard let signature = Ed25519.signature(of: bytes, seed: seed),
      let publicKey = Ed25519.publicKey(ofSeed: seed)
    else { throw CommandFailure("\(key ?? ""): libcrypto cannot sign with this key", .failed) }
    let text = Base64.encode(signature)
    guard output.json else { return try output.console.write(text + "\n") }
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("file", file)
    writer.member("ed_signature", text)
    writer.member("length", bytes.count)
    writer.member("public_key", Base64.encode(publicKey))
    writer.endObject()
    writer.newLine()
    try output.console.write(json: writer.takeBytes())
  }

  /// - Throws: ``CommandFailure`` for anything else than 32 bytes in base64; the text is not repeated.
  private static func seed(in path: String) throws -> [UInt8] {
    let text = try ByteView(reading: path, limit: keyLimit).text
    let bytes = Base64.decode(text) ?? []
    switch bytes.count {
    case Ed25519.seedSize: return bytes
    case oldKeySize:
      throw CommandFailure(
        "\(path): a key of an old Sparkle (96 bytes); export it again with generate_keys -x of Sparkle 2.2 or newer",
        .failed)
    default: throw CommandFailure("\(path): not a key of Sparkle: 32 bytes in base64", .failed)
    }
  }
}
