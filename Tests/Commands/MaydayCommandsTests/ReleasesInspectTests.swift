import Bytes
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

@Suite struct ReleasesInspectTests {
  private let folder = ScratchFolder()

  private func inspect(_ words: String...) -> Run {
    Run(["releases", "inspect"] + words, environment: ["XDG_DATA_HOME": folder.path("data")])
  }

  private static func artefact(_ name: String) -> String { "\(Samples.root)/Artefacts/\(name)" }

  @Test("An artefact's metadata is shown, and which of its debug files exist")
  func shown() {
    let file = Self.artefact("Tern-1.1.0.ipa")
    let with = inspect(file, "--symbols", Samples.symbols, "--json", "--require-symbols")
    #expect(with.status == 0, "\(with.errors)")
    #expect(with.json["complete"]?.bool == true)
    #expect(with.json["package"]?["identifier"]?.string == "com.example.tern")
    #expect(with.json["package"]?["hashes"]?.array?.count == 2)
    let without = inspect(file, "--json")
    #expect(without.status == 0)
    #expect(without.json["complete"]?.bool == false)
    #expect(without.json["files"]?[0]?["verdict"]?.string == "missing")
    #expect(inspect(file, "--require-symbols").status == 6)
  }

  @Test("The mapping of R8 counts for the code of an Android app")
  func mapping() throws {
    let mapping = folder.write(
      "mapping.txt",
      Array("# compiler: R8\n# pg_map_id: 48ffd94\na.B -> a.a:\n    void c() -> a\n".utf8))
    let run = inspect(
      Self.artefact("Tern-1.1.0.apk"), "--symbols", mapping, "--except", "libgull*", "--json")
    #expect(run.json["files"]?.array?.count == 1)
    #expect(run.json["files"]?[0]?["verdict"]?.string == "ok", "\(run.output)\(run.errors)")
  }

  @Test("Each error in an artefact is one line, and the command fails")
  func wrong() {
    let cut = folder.write("cut.ipa", Array("PK, but nothing else".utf8))
    let run = inspect(cut)
    #expect(
      run.status == 1 && run.errors.contains("cut.ipa: zip file: no end of a directory"),
      "\(run.errors)")
    let text = folder.write("words.txt", Array("text".utf8))
    #expect(inspect(text).errors.contains("not an artefact by its name"))
    #expect(inspect(Self.artefact("Tern-1.1.0.ipa"), "--kind", "exe").status == 2)
    #expect(inspect(folder.path("none.ipa")).status == 3)
  }
}
