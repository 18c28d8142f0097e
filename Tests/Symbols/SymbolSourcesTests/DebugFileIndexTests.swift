import Bytes
import CrashModel
import Identifiers
import ObjectFormats
import TestSupport
import Testing

@testable import SymbolSources

@Suite struct DebugFileIndexTests {
  static let id: [UInt8] = Array(1...20)

  /// An ELF file of one build.
  static func elf(
    id: [UInt8]? = id, hasCode: Bool = true, symbols: [String] = [], debugInfo: [UInt8] = [],
    link: (name: String, checksum: UInt32)? = nil, machine: Int = 62, isBigEndian: Bool = false
  ) -> [UInt8] {
    var file = ObjectBuilderELF(isBigEndian: isBigEndian)
    file.machine = machine
    file.sections = [
      .init(
        ".text", type: hasCode ? 1 : 8, flags: 6, address: 0x1000,
        contents: [0x90] + [UInt8](repeating: 0, count: 63))
    ]
    if let id {
      file.sections.append(.init(".note.gnu.build-id", type: 7, contents: file.buildIDNote(id)))
    }
    if !symbols.isEmpty { file.add(symbols: symbols.map { .init($0, 0x1000, size: 4) }) }
    if !debugInfo.isEmpty { file.sections.append(.init(".debug_info", contents: debugInfo)) }
    if let link {
      var bytes = Array(link.name.utf8) + [0]
      while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: link.checksum >> (8 * UInt32($0))) }
      file.sections.append(.init(".gnu_debuglink", contents: bytes))
    }
    return file.build()
  }

  static func index(_ files: [(String, [UInt8])]) throws -> DebugFileIndex {
    DebugFileIndex(
      try files.flatMap { path, bytes in
        let source = SourceFile(ByteView(bytes))
        return try ObjectFile.objects(in: source.bytes).map {
          DebugFile(path: path, name: lastPathComponent(of: path), object: $0, in: source)
        }
      })
  }

  static func image(
    debugID: DebugID? = nil, codeID: CodeID? = nil, architecture: Architecture? = nil
  ) -> LoadedImage {
    LoadedImage(
      name: "app", path: "/usr/bin/app", architecture: architecture, debugID: debugID,
      codeID: codeID)
  }

  @Test("Found by either id, the best first")
  func order() throws {
    let index = try Self.index([
      ("a/stripped", Self.elf()), ("b/symbols", Self.elf(symbols: ["f"])),
      ("c/all", Self.elf(symbols: ["f"], debugInfo: [1])),
      ("d/app.debug", Self.elf(hasCode: false, symbols: ["f"], debugInfo: [1])),
      ("e/other", Self.elf(id: [9, 9], symbols: ["f"], debugInfo: [1])),
    ])
    let wanted = ["d/app.debug", "c/all", "b/symbols", "a/stripped"]
    let byCode = index.candidates(for: Self.image(codeID: CodeID(Self.id)))
    #expect(byCode.map(\.path) == wanted)
    let byDebug = index.candidates(for: Self.image(debugID: DebugID(buildID: Self.id)))
    #expect(byDebug.map(\.path) == wanted)
    #expect(byDebug.map(\.usability) == [.debugInfo, .debugInfo, .symbolsOnly, .stripped])
    let both = Self.image(debugID: DebugID(buildID: Self.id), codeID: CodeID(Self.id))
    #expect(index.candidates(for: both).map(\.path) == wanted)
    #expect(index.candidates(for: Self.image(codeID: CodeID([7]))).isEmpty)
  }

  @Test("A big-endian build is found by both spellings of its id")
  func bigEndian() throws {
    let index = try Self.index([("app", Self.elf(symbols: ["f"], isBigEndian: true))])
    #expect(index.candidates(for: Self.image(debugID: DebugID(uuid: Self.id))).count == 1)
    #expect(index.candidates(for: Self.image(debugID: DebugID(buildID: Self.id))).count == 1)
  }

  @Test("An image that has an id is never matched by name; one without is")
  func names() throws {
    let index = try Self.index([
      ("x/app", Self.elf(symbols: ["f"])), ("y/app.debug", Self.elf(debugInfo: [1])),
    ])
    #expect(index.candidates(for: Self.image(codeID: CodeID([7]))).isEmpty)
    #expect(index.candidates(for: Self.image(debugID: DebugID(uuid: [7]))).isEmpty)
    let byName = index.candidates(for: Self.image())
    #expect(byName.map(\.path) == ["y/app.debug", "x/app"])
    // Zeros are not an id.
    let zeros = Self.image(debugID: DebugID(uuid: []), codeID: CodeID("0000"))
    #expect(index.candidates(for: zeros).count == 2)
    #expect(index.candidates(for: LoadedImage(name: "other")).isEmpty)
  }

  @Test("The only ELF file explains firmware that a report does not name")
  func firmware() throws {
    let firmware = LoadedImage(name: "firmware", base: Address(0))
    let one = try Self.index([("x/app", Self.elf(symbols: ["f"]))])
    #expect(one.candidates(for: firmware).map(\.path) == ["x/app"])
    #expect(one.candidates(for: LoadedImage(name: "wasm")).isEmpty)
    #expect(one.candidates(for: LoadedImage(name: "firmware", path: "/opt/firmware")).isEmpty)
    let two = try Self.index([
      ("x/app", Self.elf(symbols: ["f"])), ("y/other", Self.elf(id: [1], symbols: ["f"])),
    ])
    #expect(two.candidates(for: firmware).isEmpty)
  }

  @Test("If several builds have the right name, none of them matches")
  func ambiguousNames() throws {
    let index = try Self.index([
      ("x/app", Self.elf(symbols: ["f"])), ("y/app", Self.elf(id: [1], symbols: ["f"])),
    ])
    #expect(index.candidates(for: Self.image()).isEmpty)
  }

  @Test("A program without a build id and its debug file belong together, but not two such files")
  func namesWithoutIDs() throws {
    let program = Self.elf(id: nil, symbols: ["f"])
    let debug = Self.elf(id: nil, hasCode: false, debugInfo: [1])
    let index = try Self.index([("a/app", program), ("b/app.debug", debug), ("c/app", program)])
    #expect(
      index.candidates(for: Self.image()).map(\.path) == ["b/app.debug", "a/app", "c/app"])
    let other = Self.elf(id: nil, hasCode: false, debugInfo: [2])
    let mixed = try Self.index([("b/app.debug", debug), ("d/app.debug", other)])
    #expect(mixed.candidates(for: Self.image()).isEmpty)
    #expect(mixed.unusable(for: Self.image()).map(\.verdict) == [.ambiguous])
  }

  @Test("The architecture must not contradict")
  func architectures() throws {
    let index = try Self.index([("app", Self.elf(symbols: ["f"], machine: 183))])
    func count(_ architecture: Architecture?) -> Int {
      index.candidates(for: Self.image(codeID: CodeID(Self.id), architecture: architecture)).count
    }
    #expect(count(nil) == 1)
    #expect(count(.arm64) == 1)
    #expect(count(.arm64e) == 1)
    #expect(count(Architecture("AArch64")) == 1)
    #expect(count(Architecture("something new")) == 1)
    #expect(count(.x86_64) == 0)
    #expect(count(.armv7) == 0)
  }

  @Test("A stripped program leads to the file that its debug link names, if the checksum is right")
  func debugLink() throws {
    let debug = Self.elf(id: nil, hasCode: false, debugInfo: [1, 2, 3])
    let checksum = ObjectBuilderXZ.checksum(debug)
    let program = Self.elf(symbols: ["f"], link: ("app.dbg", checksum))
    let wrong = Self.elf(id: nil, hasCode: false, debugInfo: [9])
    let index = try Self.index([("z/app.dbg", wrong), ("d/app.dbg", debug), ("b/app", program)])
    let found = index.candidates(for: Self.image(codeID: CodeID(Self.id)))
    #expect(found.map(\.path) == ["d/app.dbg", "b/app"])
    // A file without an id takes that of the program that names it, and its symbols.
    #expect(found.first?.codeID == CodeID(Self.id))
    #expect(found.first?.debugID == DebugID(buildID: Self.id))
    #expect(try found.first?.object.symbolTable().symbols.count == 1)
    let alone = try Self.index([("z/app.dbg", wrong), ("b/app", program)])
    #expect(
      alone.candidates(for: Self.image(codeID: CodeID(Self.id))).map(\.path) == ["b/app"])
  }

  @Test("Debug information without symbols takes those of the program, and a digest of both")
  func borrowed() throws {
    let debug = Self.elf(hasCode: false, debugInfo: [1])
    let program = Self.elf(symbols: ["f"])
    let index = try Self.index([("app.debug", debug), ("app", program)])
    let found = index.candidates(for: Self.image(codeID: CodeID(Self.id)))
    let best = try #require(found.first)
    #expect(best.path == "app.debug")
    let table = try best.object.symbolTable()
    #expect(table.symbols.map { table.name(of: $0) } == ["f"])
    #expect(best.object.hasSymbols)
    let alone = try Self.index([("app.debug", debug)])
    let single = try #require(alone.files.first)
    #expect(single.digest != best.digest)
    #expect(best.digest.count == 64)
  }
}

extension DebugFileIndexTests {
  /// Breakpad symbols of one build.
  static func breakpad(_ id: String) -> [UInt8] {
    Array("MODULE windows x86_64 \(id) app.pdb\nFILE 0 a.c\nFUNC 10 10 0 f\n10 10 1 0\n".utf8)
  }

  @Test("An age distinguishes two builds if both sides know it")
  func ages() throws {
    let id = "3249D99D0C4049318610F4E4FB0B6936"
    let index = try Self.index([
      ("one.sym", Self.breakpad(id + "1")), ("two.sym", Self.breakpad(id + "2")),
    ])
    func found(_ text: String) -> [String] {
      index.candidates(for: Self.image(debugID: DebugID(text))).map(\.path)
    }
    #expect(found(id + "1") == ["one.sym"])
    #expect(found(id + "2") == ["two.sym"])
    #expect(found(id + "3") == [])
    #expect(found(id) == ["one.sym", "two.sym"])
  }

  @Test("A truncated build id finds the whole one, in either byte order")
  func cutBuildID() throws {
    let index = try Self.index([("app", Self.elf(symbols: ["f"]))])
    let cut = CodeID(Self.id.prefix(16))
    #expect(index.candidates(for: Self.image(codeID: cut)).count == 1)
    #expect(index.candidates(for: Self.image(debugID: DebugID(uuid: Self.id))).count == 1)
  }

  @Test("Breakpad's file name is the image's without the ending of a Windows program")
  func breakpadNames() throws {
    let index = try Self.index([("App.sym", Self.breakpad("3249D99D0C4049318610F4E4FB0B69361"))])
    for name in ["App.pdb", "App.EXE", "App"] {
      #expect(index.candidates(for: LoadedImage(name: name)).count == 1, "\(name)")
      #expect(DebugFileName.imageNames(ofFile: "App.sym").contains(name))
    }
    #expect(index.candidates(for: LoadedImage(name: "Other.exe")).isEmpty)
  }

  @Test(
    "A program for Windows without an id finds its PDB, and itself by a path of Windows",
    arguments: [
      (#"C:\App\App.exe"#, "App.pdb"), (#"C:\App\App.exe"#, "App.exe"),
      (#"D:/App/App.dll"#, "App.pdb"), (#"\\server\share\App.DLL"#, "App.pdb"),
    ])
  func windowsNames(path: String, file: String) throws {
    let index = try Self.index([(file, Self.breakpad("3249D99D0C4049318610F4E4FB0B69361"))])
    let image = LoadedImage(name: "App", path: path)
    #expect(index.candidates(for: image).count == 1)
    #expect(DebugFileName.imageNames(ofFile: file).contains(image.fileName))
    // A file of Linux may have any byte in its name but a slash.
    #expect(LoadedImage(name: "a", path: #"/app/a\b"#).fileName == #"a\b"#)
  }
}
