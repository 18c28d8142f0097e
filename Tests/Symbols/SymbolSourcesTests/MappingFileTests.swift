import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import SymbolSources

@Suite struct MappingFileTests {
  private static let mapping = """
    app.tern.Desk -> a.a:
        1:1:void pay():12:12 -> a

    """

  private func image(_ identity: MappingFile.Identity) -> LoadedImage {
    LoadedImage(
      name: "R8 mapping", architecture: .jvm, debugID: identity.debugID, codeID: identity.codeID)
  }

  // symbolic's ProguardMapper gives the same bytes this UUID.
  @Test("A mapping is found by the id of its content, whatever its name")
  func content() throws {
    let folder = ScratchFolder()
    folder.write("build/names", Self.mapping.utf8)
    folder.write("build/notes.txt", "no -> mapping".utf8)
    let scan = DebugFileScanner().scan([folder.path])
    let file = try #require(scan.mappings.first)
    #expect(scan.mappings.count == 1 && scan.otherFiles == 1 && scan.refusals.isEmpty)
    #expect(file.name == "names" && file.kind == .r8)
    let id = try #require(DebugID("bf51c39e-cc4b-5c84-b42b-6cf5e64eadbd"))
    #expect(file.debugID == id)
    let index = DebugFileIndex(scan)
    #expect(index.mappings(for: image(.init(debugID: id))).map(\.name) == ["names"])
    #expect(index.mappings(for: image(.init(debugID: DebugID(uuid: [1])))).isEmpty)
    #expect(index.givenMappings(of: .r8).count == 1)
  }

  @Test("A mapping is found by the UUID that its file is named after")
  func fileName() throws {
    let id = "0b7c6f2e-5d0e-4f0a-9c55-3e3f2f2b9d11"
    for name in ["\(id).txt", id, id.uppercased() + ".TXT"] {
      let index = DebugFileIndex(DebugFileScanner().scan(ByteView(Self.mapping.utf8), named: name))
      let debugID = try #require(DebugID(id))
      #expect(index.mappings(for: image(.init(debugID: debugID))).count == 1, "\(name)")
    }
  }

  @Test("A mapping is found by its map id and by its whole hash, and by no other hash")
  func mapID() throws {
    let hash = "48ffd94" + String(repeating: "0", count: 57)
    let text = "# pg_map_id: 48ffd94\n# pg_map_hash: SHA-256 \(hash)\n" + Self.mapping
    let index = DebugFileIndex(DebugFileScanner().scan(ByteView(text.utf8), named: "mapping.txt"))
    for id in ["48ffd94", "48FFD94", hash] {
      #expect(index.mappings(for: image(R8Identity.identity(ofMapID: id))).count == 1, "\(id)")
    }
    for id in ["48ffd95", "48ffd94" + String(repeating: "1", count: 57)] {
      #expect(index.mappings(for: image(R8Identity.identity(ofMapID: id))).isEmpty, "\(id)")
    }
  }

  @Test("The ids of a release differ by app, version and build; a version alone is for all builds")
  func releases() throws {
    let release = Release(version: "1.4.0", build: "512")
    func report(_ app: String, _ release: Release) throws -> LoadedImage {
      image(try #require(ReleaseIdentity.ofReport(app: app, release: release, .r8)))
    }
    func finds(_ image: LoadedImage, _ release: Release) throws -> Bool {
      let file = try #require(ReleaseIdentity.ofFile(app: "tern", release: release, .r8))
      return image.possibleDebugIDs.contains(file.debugID)
    }
    let wanted = try report("tern", release)
    #expect(try finds(wanted, release))
    #expect(try finds(wanted, Release(version: "1.4.0")))
    #expect(try !finds(wanted, Release(version: "1.4.0", build: "513")))
    #expect(try !finds(wanted, Release(version: "1.4.1")))
    #expect(try !finds(report("gull", release), release))
    #expect(ReleaseIdentity.ofReport(app: "tern", release: Release(version: ""), .r8) == nil)
  }
}
