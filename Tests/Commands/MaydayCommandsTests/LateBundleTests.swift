import Bytes
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// dSYMs that arrive after the handled errors of their release.
@Suite struct LateBundleTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func log(_ version: String, _ build: String, _ id: String) -> String {
    """
    {"logs":[{"type":"handledError","timestamp":"2026-03-02T10:14:00Z","id":"\(id)",
    "device":{"sdkName":"appcenter.ios","sdkVersion":"5.0.4","model":"iPhone14,5","osName":"iOS",
    "osVersion":"17.2.1","appVersion":"\(version)","appBuild":"\(build)","appNamespace":"com.example.tern"},
    "exception":{"type":"NSURLErrorDomain","message":"x","frames":[],
    "stackTrace":"(\\n\\t0   Tern   0x0000000104a381c8 Tern + 16840\\n)"}}]}
    """
  }

  private func writeBundle(_ version: String, _ build: String) throws {
    let bundle = "\(version)/Tern.app.dSYM/Contents"
    let program = "Contents/Resources/DWARF/Tern"
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>CFBundleShortVersionString</key><string>\(version)</string>
      <key>CFBundleVersion</key><string>\(build)</string></dict></plist>
      """
    folder.write("\(bundle)/Info.plist", Array(list.utf8))
    let bytes = try ByteView(
      mapping: Samples.debugFile("apple/\(version)/ios/Tern.app.dSYM/\(program)"))
    folder.write("\(version)/Tern.app.dSYM/\(program)", bytes.array)
  }

  private func addBundle(_ version: String, _ build: String) throws {
    try writeBundle(version, build)
    let added = Run(["symbols", "add", folder.path(version), "--home", home])
    #expect(added.status == 0, "\(added.errors)")
  }

  private func title(of version: String) throws -> String? {
    let groups = Run(["groups", "version:\(version)", "--json", "--home", home]).json.array ?? []
    #expect(groups.count == 1)
    return groups.first?["signature"]?["text"]?.string
  }

  @Test("`upload` sends the release that a bundle names")
  func uploaded() throws {
    let server = try #require(RunningServer(home: home))
    try writeBundle("1.0.0", "100")
    let sent = Run(
      ["upload", folder.path("1.0.0"), "--to", "http://127.0.0.1:\(server.port)"],
      environment: ["MAYDAY_TOKEN": server.token])
    #expect(sent.status == 0, "\(sent.errors)")
    let path = folder.write(
      "a.json", Array(log("1.0.0", "100", "d3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a17").utf8))
    #expect(Run(["ingest", path, "--app", "Tern", "--home", home]).status == 0)
    #expect(try title(of: "1.0.0")?.contains("[Tern") == false)
  }

  @Test("The dSYM of a release names the functions of its errors, not those of other releases")
  func late() throws {
    for (version, build, id) in [
      ("1.0.0", "100", "d3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a15"),
      ("1.1.0", "110", "d3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a16"),
    ] {
      let path = folder.write("\(version).json", Array(log(version, build, id).utf8))
      #expect(Run(["ingest", path, "--app", "Tern", "--home", home]).status == 0)
      #expect(try title(of: version)?.contains("[Tern \(version) (\(build))]") == true)
    }
    try addBundle("1.0.0", "100")
    #expect(try title(of: "1.0.0")?.contains("[Tern") == false)
    #expect(try title(of: "1.1.0")?.contains("[Tern 1.1.0 (110)]") == true)
    try addBundle("1.1.0", "110")
    // As llvm-symbolizer prints it.
    #expect(try title(of: "1.1.0")?.contains("tern::Basket::split") == true)
  }
}
