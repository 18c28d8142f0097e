import Bytes
import Crypto
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite struct ReleasesSignTests {
  private let folder = ScratchFolder()
  private static let file = Samples.root + "/Artefacts/Tern-1.1.0.app.zip"

  @Test("The signature of an artefact is valid by the public key that is printed")
  func sign() throws {
    let key = folder.write("sparkle.key", Array((Base64.encode(Array(0..<32)) + "\n").utf8))
    let run = Run(["releases", "sign", Self.file, "--key", key, "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let signature = try #require(run.json["ed_signature"]?.string.flatMap(Base64.decode))
    let publicKey = try #require(run.json["public_key"]?.string.flatMap(Base64.decode))
    let bytes = try ByteView(mapping: Self.file)
    #expect(Ed25519.isSignature(signature, of: bytes, by: publicKey))
    let text = Run(["releases", "sign", Self.file, "--key", key])
    #expect(text.output == Base64.encode(signature) + "\n")
  }

  @Test("A key of another kind is an error that does not repeat it", arguments: [31, 33, 64, 96])
  func wrongKey(count: Int) {
    let text = Base64.encode([UInt8](repeating: 0x61, count: count))
    let key = folder.write("sparkle.key", Array(text.utf8))
    let run = Run(["releases", "sign", Self.file, "--key", key])
    #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("sparkle.key: "))
    #expect(!run.errors.contains(text.prefix(8)))
    #expect(run.errors.contains("old Sparkle") == (count == 96))
  }

  @Test("Without a key, or a file, nothing is signed")
  func missing() {
    #expect(Run(["releases", "sign", Self.file]).status == 2)
    #expect(Run(["releases", "sign", Self.file, "--key", folder.path("none")]).status == 3)
  }
}
