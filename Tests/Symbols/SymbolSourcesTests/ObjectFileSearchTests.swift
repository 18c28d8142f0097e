import Bytes
import CrashModel
import DebugInfo
import Glibc
import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

@testable import SymbolSources

/// The sample program with two objects in files and two in a library.
@Suite struct ObjectFileSearchTests {
  private static let samples = Samples.debugFile("variants")
  /// The modification time of the object files in the debug map.
  private static let time = 1_767_225_600

  private func sample(_ name: String) throws -> [UInt8] {
    try ByteView(reading: "\(Self.samples)/\(name)", limit: 1 << 20).array
  }

  private func write(
    _ name: String, as path: String, at time: Int = time, in folder: ScratchFolder
  ) throws {
    folder.write(path, try sample(name))
    let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, folder.path(path), times, 0) == 0)
  }

  private func found(in folder: ScratchFolder) throws -> DebugFile {
    let scan = DebugFileScanner().scan([folder.path])
    #expect(scan.refusals.isEmpty)
    let program = try #require(scan.files.first { $0.name == "tide.dylib" })
    return DebugFileIndex(scan).complete(program)
  }

  @Test("Objects and libraries are found by name in the folders that were given")
  func folders() throws {
    let folder = ScratchFolder()
    folder.write("bin/tide.dylib", try sample("macho-map-arm64.dylib"))
    for name in ["start.object", "harbour.object", "libtide.archive"] {
      try write("macho-map/arm64/\(name)", as: "obj/\(name)", in: folder)
      // For another architecture.
      try write("macho-map/x86_64/\(name)", as: "obj/macho-arm64/\(name)", in: folder)
    }
    let file = try found(in: folder)
    #expect(file.supplementary.mapped.keys.sorted() == [0, 1, 2, 3])
    #expect(file.usability == .debugInfo)
    let compiled = try SymbolCache.compiling(file.object, supplementary: file.supplementary)
    #expect(compiled.notes.isEmpty)
    // The cache depends on the objects, too.
    let alone = try #require(
      DebugFileScanner().scan([folder.path("bin")]).files.first { $0.name == "tide.dylib" })
    #expect(file.digest != alone.digest)
    #expect(DebugFileIndex([alone]).complete(alone).supplementary.isEmpty)
    #expect(DebugFileIndex([alone]).complete(alone).usability == .symbolsOnly)
  }

  @Test("A file that is found by several names is one")
  func oneFile() throws {
    let folder = ScratchFolder()
    var program = ObjectBuilderMachO()
    program.fileType = 6
    program.uuid = [UInt8](1...16)
    program.segments = [
      .init(
        "__TEXT", address: 0x1000,
        sections: [
          .init(
            "__text", address: 0x1400, contents: [UInt8](repeating: 0, count: 64),
            flags: Int(bitPattern: 0x8000_0400))
        ])
    ]
    program.symbols = [.init("_f0", 0x1400)]
    // The object file by its path, and by others that lead to it.
    let names = [
      "/a.object", "/./a.object", "/../\(folder.path.split(separator: "/").last ?? "")/a.object",
    ]
    for (index, name) in (names + ["/link.object"]).enumerated() {
      let start = UInt64(0x1400 + index * 16)
      program.symbols += [
        .init("/src/", 0, type: 0x64, section: 0), .init("a.c", 0, type: 0x64, section: 0),
        .init(folder.path + name, UInt64(Self.time), type: 0x66, section: 0),
        .init("", start, type: 0x2e), .init("_f\(index)", start, type: 0x24),
        .init("", 16, type: 0x24, section: 0), .init("", 16, type: 0x4e, section: 0),
        .init("", 0, type: 0x64, section: 0),
      ]
    }
    folder.write("tide.dylib", program.build())
    try write("macho-map/arm64/start.object", as: "a.object", in: folder)
    #expect(symlink("a.object", folder.path("link.object")) == 0)
    let file = try found(in: folder)
    let mapped = file.supplementary.mapped.values.map(\.bytes.identity)
    #expect(mapped.count == 4)
    #expect(Set(mapped).count == 1)
  }

  @Test("An object with another modification time is from another build")
  func otherTime() throws {
    let folder = ScratchFolder()
    folder.write("tide.dylib", try sample("macho-map-arm64.dylib"))
    try write("macho-map/arm64/start.object", as: "a/start.object", at: Self.time + 1, in: folder)
    try write("macho-map/arm64/harbour.object", as: "a/harbour.object", in: folder)
    let file = try found(in: folder)
    let map = try #require(try file.object.machO?.debugMap())
    #expect(
      file.supplementary.mapped.keys.map { map.path(of: map.objects[$0]) } == [
        "/app/build/macho-arm64/harbour.object"
      ])
    let compiled = try SymbolCache.compiling(file.object, supplementary: file.supplementary)
    #expect(compiled.notes.count == 1)
    #expect(compiled.notes.first?.contains("start.object") == true)
  }

  @Test("A library for several architectures is one, too")
  func universal() throws {
    let folder = ScratchFolder()
    folder.write("tide.dylib", try sample("macho-map-x86_64.dylib"))
    folder.write(
      "libtide.archive",
      ObjectBuilderMachO.universal([
        try sample("macho-map/arm64/libtide.archive"),
        try sample("macho-map/x86_64/libtide.archive"),
      ]))
    #expect(try found(in: folder).supplementary.mapped.count == 2)
  }

  @Test("A WebAssembly module is explained by the file that it names, if their code is the same")
  func wasm() throws {
    let folder = ScratchFolder()
    folder.write("app.wasm", try sample("wasm32-split.wasm"))
    folder.write("debug/wasm32-dwarf5.wasm", try sample("wasm32-dwarf5.wasm"))
    folder.write("other/wasm32-dwarf5.wasm", try sample("wasm32-dwarf4.wasm"))
    let scan = DebugFileScanner().scan([folder.path])
    let program = try #require(scan.files.first { $0.name == "app.wasm" })
    #expect(program.usability == .symbolsOnly)
    let index = DebugFileIndex(scan)
    let image = LoadedImage(name: "app.wasm", debugID: program.debugID, codeID: program.codeID)
    let found = index.candidates(for: image)
    #expect(found.first?.usability == .debugInfo)
    #expect(found.first?.path == folder.path("debug/wasm32-dwarf5.wasm"))
    #expect(found.first?.object.imageBase == program.object.imageBase)
  }

  @Test(
    "Without build ids the named file counts if its code is the same", arguments: [true, false])
  func wasmByName(isSame: Bool) throws {
    var module = ObjectBuilderWasm()
    module.bodies = [[0, 0x0b]]
    module.names = [(0, "start")]
    var debug = module
    if !isSame { debug.bodies = [[0, 1, 0x0b]] }
    module.custom = [("external_debug_info", ObjectBuilderWasm.text("https://e.org/a.debug.wasm"))]
    debug.custom = [(".debug_info", [1, 2, 3])]
    let folder = ScratchFolder()
    folder.write("a.wasm", module.build())
    folder.write("a.debug.wasm", debug.build())
    let index = DebugFileIndex(DebugFileScanner().scan([folder.path]))
    let found = index.candidates(for: LoadedImage(name: "a.wasm"))
    #expect(found.map(\.name) == (isSame ? ["a.debug.wasm", "a.wasm"] : ["a.wasm"]))
  }

  @Test("Debug information without its code needs the module that it belongs to")
  func wasmWithoutCode() throws {
    var module = ObjectBuilderWasm()
    module.bodies = [[0, 0x0b]]
    var debug = ObjectBuilderWasm()
    debug.hasCode = false
    debug.custom = [(".debug_info", [1, 2, 3]), ("build_id", [UInt8](1...16))]
    module.custom = [("build_id", [UInt8](1...16))]
    let folder = ScratchFolder()
    folder.write("a.debug.wasm", debug.build())
    let image = LoadedImage(name: "a.wasm", codeID: CodeID([UInt8](1...16)))
    let alone = DebugFileIndex(DebugFileScanner().scan([folder.path]))
    #expect(alone.candidates(for: image).isEmpty)
    folder.write("a.wasm", module.build())
    let both = DebugFileIndex(DebugFileScanner().scan([folder.path]))
    let found = both.candidates(for: image)
    #expect(found.map(\.name) == ["a.debug.wasm", "a.wasm"])
    #expect(found.first?.object.imageBase == found.last?.object.imageBase)
  }

  @Test(
    "WebAssembly images are found by their build id with its length and without", arguments: [0, 1])
  func wasmIDs(reading: Int) throws {
    let scan = DebugFileScanner().scan(["\(Self.samples)/wasm32-dwarf5.wasm"])
    let file = try #require(scan.files.first)
    let ids = [file.debugID, file.object.wasm?.otherDebugID]
    #expect(ids[0] != ids[1])
    let image = LoadedImage(name: "x.wasm", debugID: ids[reading])
    #expect(DebugFileIndex(scan).candidates(for: image).count == 1)
    let codes = [file.codeID, file.object.wasm?.otherCodeID]
    let other = LoadedImage(name: "x.wasm", codeID: codes[reading])
    #expect(DebugFileIndex(scan).candidates(for: other).count == 1)
  }

  @Test("Files beside a program are found if only the program is named")
  func beside() throws {
    let folder = ScratchFolder()
    folder.write("tide.dylib", try sample("macho-map-arm64.dylib"))
    folder.write(
      "tide.dylib.dSYM/Contents/Resources/DWARF/tide.dylib", try sample("macho-map-arm64.dsym"))
    folder.write(
      "tide.dylib.dSYM/Contents/Resources/DWARF/other", try sample("macho-map-x86_64.dsym"))
    folder.write("app.wasm", try sample("wasm32-split.wasm"))
    folder.write("wasm32-dwarf5.wasm", try sample("wasm32-dwarf5.wasm"))
    folder.write("app.debug.wasm", try sample("wasm64.wasm"))
    for (program, names) in [
      ("tide.dylib", ["tide.dylib", "tide.dylib"]),
      ("app.wasm", ["app.wasm", "wasm32-dwarf5.wasm"]),
    ] {
      let scan = DebugFileScanner().scan([folder.path(program)])
      #expect(scan.files.map(\.name) == names)
      #expect(scan.refusals.isEmpty)
      let image = LoadedImage(name: program, debugID: scan.files[0].debugID)
      #expect(DebugFileIndex(scan).candidates(for: image).first?.usability == .debugInfo)
    }
  }
}
