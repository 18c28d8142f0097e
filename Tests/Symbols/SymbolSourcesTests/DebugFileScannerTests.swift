import Bytes
import CrashModel
import Crypto
import Glibc
import Identifiers
import ObjectFormats
import TestSupport
import Testing

@testable import SymbolSources

@Suite struct DebugFileScannerTests {
  static let elf = DebugFileIndexTests.elf(symbols: ["f"], debugInfo: [1])

  static func machO(_ uuid: UInt8, cpu: Int = 0x0100_000c) -> [UInt8] {
    var file = ObjectBuilderMachO()
    file.uuid = [UInt8](repeating: uuid, count: 16)
    file.cpuType = cpu
    file.fileType = 10
    file.segments = [
      .init("__DWARF", address: 0, sections: [.init("__debug_info", contents: [1])])
    ]
    return file.build()
  }

  private func shortened(_ files: [DebugFile], _ folder: ScratchFolder) -> [String] {
    files.map { String($0.path.dropFirst(folder.path.utf8.count + 1)) }
  }

  @Test("Folders, bundles and build-id trees, in the order of their names")
  func folders() throws {
    let folder = ScratchFolder()
    folder.write("z.txt", "no debug file".utf8)
    folder.write(".build-id/01/0203.debug", Self.elf)
    folder.write("App.dSYM/Contents/Info.plist", "<plist/>".utf8)
    folder.write(
      "App.dSYM/Contents/Resources/DWARF/App",
      ObjectBuilderMachO.universal([Self.machO(1), Self.machO(2, cpu: 0x0100_0007)]))
    folder.write("a/empty", [])
    var relocatable = ObjectBuilderELF()
    relocatable.type = 1
    folder.write("a/part.o", relocatable.build())
    folder.write("b/cut", Self.elf.prefix(100))
    let scan = DebugFileScanner().scan([folder.path])
    #expect(
      shortened(scan.files, folder) == [
        ".build-id/01/0203.debug", "App.dSYM/Contents/Resources/DWARF/App",
        "App.dSYM/Contents/Resources/DWARF/App",
      ])
    #expect(scan.files.map(\.architecture) == [.x86_64, .arm64, .x86_64])
    #expect(scan.files.map(\.name) == ["0203.debug", "App", "App"])
    #expect(scan.otherFiles == 4)
    #expect(scan.refusals.count == 1)
    #expect(scan.refusals.first?.path == folder.path("b/cut"))
    #expect(scan.refusals.first?.reason.hasPrefix("ELF section headers: ") == true)
    let digest = SHA256.hex(of: ByteView(Self.elf))
    #expect(scan.files.first?.digest == digest)
    #expect(scan.files.first?.digest == digest)
  }

  /// `lcab tern.pdb tern.pd_` writes such a file.
  @Test("A PDB in a cabinet archive is refused by name")
  func cabinet() {
    let folder = ScratchFolder()
    folder.write("tern.pd_", "MSCF\0\0\0\0".utf8)
    folder.write("other.cab", "MSCF\0\0\0\0".utf8)
    let scan = DebugFileScanner().scan([folder.path])
    #expect(scan.otherFiles == 1 && scan.files.isEmpty)
    #expect(scan.refusals.map(\.path) == [folder.path("tern.pd_")])
    #expect(scan.refusals.first?.reason.contains("cabinet") == true)
  }

  @Test("A file named twice is found once, and circular links end")
  func links() throws {
    let folder = ScratchFolder()
    folder.write("a/app", Self.elf)
    symlink(folder.path, folder.path("a/circle"))
    symlink(folder.path("a/app"), folder.path("a/same"))
    symlink(folder.path("nowhere"), folder.path("a/lost"))
    mkfifo(folder.path("a/pipe"), 0o600)
    let scan = DebugFileScanner().scan([folder.path, folder.path("a/app"), folder.path])
    #expect(shortened(scan.files, folder) == ["a/app"])
    #expect(scan.refusals.isEmpty)
  }

  @Test("A missing path is a refusal, and the others are scanned")
  func missing() throws {
    let folder = ScratchFolder()
    folder.write("app", Self.elf)
    let scan = DebugFileScanner().scan([folder.path("none"), folder.path("app")])
    #expect(scan.files.count == 1)
    #expect(
      scan.refusals.map(\.description) == [folder.path("none") + ": No such file or directory"])
  }

  @Test("A damaged slice is a refusal, its valid neighbour is found")
  func slices() throws {
    let folder = ScratchFolder()
    folder.write("fat", ObjectBuilderMachO.universal([[1, 2, 3, 4], Self.machO(1)]))
    let scan = DebugFileScanner().scan([folder.path])
    #expect(scan.files.count == 1)
    #expect(scan.refusals.count == 1)
  }

  @Test("Debug files are extracted from archives, within limits")
  func archives() throws {
    let folder = ScratchFolder()
    var inner = ZipBuilder()
    inner.add("app.debug".utf8, Self.elf)
    var zip = ZipBuilder()
    zip.add("App.dSYM/Contents/Resources/DWARF/App".utf8, Self.machO(1))
    zip.add("App.dSYM/Contents/Info.plist", "<plist/>")
    zip.add("inner.zip".utf8, inner.bytes)
    zip.add("cut".utf8, Self.elf.prefix(100))
    folder.write("symbols.zip", zip.bytes)
    let scanner = DebugFileScanner(program: BuiltProgram.mayday)
    let scan = scanner.scan([folder.path])
    #expect(
      shortened(scan.files, folder) == [
        "symbols.zip!App.dSYM/Contents/Resources/DWARF/App", "symbols.zip!inner.zip!app.debug",
      ])
    #expect(scan.files.map(\.name) == ["App", "app.debug"])
    #expect(scan.otherFiles == 1)
    #expect(scan.refusals.map(\.path) == [folder.path("symbols.zip!cut")])
    var limits = DebugFileLimits()
    limits.keptBytes = Self.machO(1).count
    let bounded = DebugFileScanner(limits: limits, program: BuiltProgram.mayday)
    #expect(bounded.scan([folder.path]).files.count == 1)
    #expect(bounded.scan([folder.path]).refusals.count == 2)
  }

  @Test("The samples' folders are found by the ids in their lists", arguments: ["tern", "desk"])
  func samples(name: String) throws {
    let folder = Samples.debugFile(name)
    let scan = DebugFileScanner().scan([folder])
    let index = DebugFileIndex(scan.files)
    #expect(scan.refusals.isEmpty)
    var count = 0
    for line in try ByteView(mapping: folder + "/build-ids.tsv").text.split(separator: "\n") {
      let id = try #require(CodeID(String(line.prefix { $0 != "\t" })))
      let image = LoadedImage(name: "?", codeID: id)
      #expect(index.candidates(for: image).first?.usability == .debugInfo)
      count += 1
    }
    #expect(count == scan.files.count)
  }

  @Test("Modules of reports without ids are found by name")
  func sampleNames() throws {
    let index = DebugFileIndex(DebugFileScanner().scan([Samples.debugFile("gcc")]).files)
    let image = LoadedImage(
      name: "tern-1.0.0-gcc-thread-O1", path: "/app/bin/tern-1.0.0-gcc-thread-O1")
    #expect(index.candidates(for: image).map(\.name) == ["tern-1.0.0-gcc-thread-O1.debug"])
  }
}
