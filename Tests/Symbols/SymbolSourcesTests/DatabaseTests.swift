import Bytes
import CrashModel
import Identifiers
import ObjectFormats
import TestSupport
import Testing

@testable import SymbolSources

/// Programs for Windows and their PDBs.
@Suite struct DatabaseTests {
  private static let samples = Samples.debugFile("windows")

  private func bytes(_ name: String) throws -> [UInt8] {
    try ByteView(mapping: "\(Self.samples)/\(name)").array
  }

  @Test("The PDB beside a program is found with it, once, and only that of the same build")
  func beside() throws {
    let folder = ScratchFolder()
    let program = folder.write("bin/tide.exe", try bytes("pdb-i386.exe"))
    folder.write("bin/pdb-i386.pdb", try bytes("pdb-i386.pdb"))
    let scan = DebugFileScanner().scan([program])
    #expect(scan.files.map(\.name) == ["tide.exe", "pdb-i386.pdb"])
    #expect(scan.files.map(\.usability) == [.stripped, .debugInfo])
    #expect(DebugFileScanner().scan([folder.path]).files.count == 2)
    folder.write("bin/pdb-i386.pdb", try bytes("pdb-arm.pdb"))
    folder.write("bin/tide.pdb", try bytes("pdb-i386.pdb"))
    #expect(DebugFileScanner().scan([program]).files.map(\.name) == ["tide.exe", "tide.pdb"])
    folder.write("bin/tide.pdb", try bytes("pdb-arm.pdb"))
    #expect(DebugFileScanner().scan([program]).files.map(\.name) == ["tide.exe"])
  }

  @Test("A report's image finds the PDB by GUID and age, or by the program's code id")
  func candidates() throws {
    let folder = ScratchFolder()
    folder.write("pdb-i386.exe", try bytes("pdb-i386.exe"))
    folder.write("pdb-i386.pdb", try bytes("pdb-i386.pdb"))
    let scan = DebugFileScanner().scan([folder.path])
    let program = try #require(scan.files.first { $0.object.container == .pe })
    let id = try #require(program.debugID)
    let index = DebugFileIndex(scan.files)
    func best(_ debugID: DebugID?, _ codeID: CodeID?) -> String? {
      let image = LoadedImage(
        name: "pdb-i386.exe", architecture: .i386, debugID: debugID, codeID: codeID)
      return index.candidates(for: image).first?.name
    }
    #expect(best(id, nil) == "pdb-i386.pdb")
    #expect(best(DebugID(uuid: id.uuid), nil) == "pdb-i386.pdb")
    #expect(best(DebugID(uuid: id.uuid, age: id.age + 1), nil) == nil)
    #expect(best(nil, program.codeID) == "pdb-i386.pdb")
  }

  @Test(
    "File names at paths of Windows and of others",
    arguments: [
      (#"D:\build\tide.pdb"#, "tide.pdb"), ("/app/out/tide.pdb", "tide.pdb"),
      ("tide.pdb", "tide.pdb"), (#"..\a/b.pdb"#, "b.pdb"), ("", ""),
    ])
  func names(path: String, name: String) {
    #expect(windowsFileName(of: path) == name)
  }
}
