import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct WasmTests {
  /// Two imported functions, then four of its own.
  static func module() -> ObjectBuilderWasm {
    var module = ObjectBuilderWasm()
    module.imports = [
      ("env", "log", [0, 0]), ("env", "table", [1, 0x70, 1, 2, 4]),
      ("env", "memory", [2, 0, 1]), ("env", "global", [3, 0x63, 0x05, 0]),
      ("env", "tag", [4, 0, 0]), ("env", "exit", [0, 0]),
    ]
    module.bodies = [
      [0, 0x0b], [0, 1, 1, 0x0b], [UInt8](repeating: 1, count: 200), [0, 0x0b],
    ]
    module.exports = [("start", 0, 2), ("memory", 2, 0), ("third", 0, 4), ("none", 0, 90)]
    module.names = [(0, "log"), (2, "tide::start()"), (3, "second"), (70, "nobody")]
    module.custom = [
      (".debug_info", [1, 2, 3]), ("build_id", [4, 0xde, 0xad, 0xbe, 0xef]),
      ("external_debug_info", ObjectBuilderWasm.text("out/tide.debug.wasm")),
    ]
    return module
  }

  static func object(_ builder: ObjectBuilderWasm) throws -> ObjectFile {
    try #require(try ObjectFile.objects(in: ByteView(builder.build())).first)
  }

  @Test("Functions are named by the name section, otherwise by an export, after the imported ones")
  func symbols() throws {
    let object = try Self.object(Self.module())
    #expect(object.container == .wasm)
    #expect(object.kind == .executable)
    #expect(object.architecture == .wasm32)
    #expect(object.addressSize == 4)
    #expect(object.endianness == .little)
    let table = try object.symbolTable()
    #expect(table.symbols.map { table.name(of: $0) } == ["tide::start()", "second", "third"])
    // The count, and before each body its size.
    #expect(table.symbols.map(\.address) == [2, 5, 11])
    #expect(table.symbols.map(\.size) == [2, 4, 200])
    #expect(table.symbols.map(\.isGlobal) == [true, false, true])
    #expect(object.hasSymbols)
    #expect(object.hasDebugInfo)
    let info = try #require(object.section(named: "debug_info"))
    #expect(try object.contents(of: info).array == [1, 2, 3])
    #expect(object.wasm?.externalDebugInfo == "out/tide.debug.wasm")
  }

  @Test("Offsets in reports count from the file, linked addresses from the code section")
  func addresses() throws {
    let builder = Self.module()
    let object = try Self.object(builder)
    let code = try #require(object.sections.first { $0.isExecutable })
    #expect(object.imageBase &+ code.fileOffset == 0)
    #expect(object.executableRanges == [1..<code.size])
    let body = Int(code.fileOffset) + 11
    #expect(builder.build()[body..<(body + 200)].allSatisfy { $0 == 1 })
  }

  @Test(
    "The build id stands behind its length, or alone as older tools wrote it",
    arguments: [
      ([16] + [UInt8](1...16), "0102030405060708090a0b0c0d0e0f10", "01020304-", "10010203-"),
      ([UInt8](1...16), "0102030405060708090a0b0c0d0e0f10", "01020304-", nil),
      (
        [20] + [UInt8](1...20), "0102030405060708090a0b0c0d0e0f1011121314", "01020304-",
        "14010203-"
      ),
      ([2, 7, 8], "0708", nil, nil),
      ([UInt8](repeating: 9, count: 65), nil, nil, nil),
      ([], nil, nil, nil),
    ] as [([UInt8], String?, String?, String?)])
  func buildID(contents: [UInt8], codeID: String?, debugID: String?, other: String?) throws {
    var module = Self.module()
    module.custom = [("build_id", contents)]
    let object = try Self.object(module)
    #expect(object.codeID?.description == codeID)
    #expect(object.debugID.map { String($0.description.prefix(9)) } == debugID)
    #expect(object.wasm?.otherDebugID.map { String($0.description.prefix(9)) } == other)
    #expect((object.wasm?.otherCodeID == nil) == (codeID == nil || contents.count % 4 == 0))
  }

  @Test(
    "Memory of 64-bit addresses, imported or its own, makes it wasm64",
    arguments: [[4, 1], [5, 1, 9], [0x0c, 1, 16]] as [[UInt8]])
  func wide(limits: [UInt8]) throws {
    var own = ObjectBuilderWasm()
    own.memories = [[0, 1], limits]
    #expect(try Self.object(own).architecture == .wasm64)
    var imported = ObjectBuilderWasm()
    imported.imports = [("env", "memory", [2] + limits)]
    #expect(try Self.object(imported).architecture == .wasm64)
    #expect(try Self.object(imported).addressSize == 8)
  }

  @Test("The purpose of a module follows from its sections")
  func kinds() throws {
    var module = Self.module()
    module.custom.append(("dylink.0", []))
    #expect(try Self.object(module).kind == .library)
    module.custom.append(("linking", []))
    #expect(try Self.object(module).kind == .relocatable)
    var debug = Self.module()
    debug.hasCode = false
    let object = try Self.object(debug)
    #expect(object.kind == .debugFile)
    #expect(object.needsProgram)
    #expect(!object.hasSymbols)
    let joined = object.borrowingSymbols(of: try Self.object(Self.module()))
    #expect(!joined.needsProgram)
    #expect(joined.imageBase == (try Self.object(Self.module())).imageBase)
  }

  @Test("Two files are one module if neither their ids nor their code differ")
  func sameModule() throws {
    let object = try Self.object(Self.module())
    var other = Self.module()
    other.custom = []
    #expect(object.wasm?.isSameModule(as: try Self.object(other).wasm) == true)
    other.custom = [("build_id", [1, 2])]
    #expect(object.wasm?.isSameModule(as: try Self.object(other).wasm) == false)
    other.custom = []
    other.bodies[0] = [1, 0x0b]
    #expect(object.wasm?.isSameModule(as: try Self.object(other).wasm) == false)
    other.hasCode = false
    #expect(object.wasm?.isSameModule(as: try Self.object(other).wasm) == true)
  }

  @Test(
    "A file that is not a module is refused by name",
    arguments: [
      ([0x0d, 0, 1, 0], "a component"), ([2, 0, 0, 0], "version 2"),
    ] as [([UInt8], String)])
  func refused(version: [UInt8], words: String) {
    var module = Self.module()
    module.version = version
    let bytes = ByteView(module.build())
    #expect(ObjectFile.isObject(bytes))
    let error = #expect(throws: ParseError.self) { try ObjectFile.objects(in: bytes) }
    #expect(error?.description.contains(words) == true)
  }

  @Test("A size or a name past the end of the file is an error with the offset")
  func cutOff() {
    let start: [UInt8] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
    for end in [[10, 0xff, 0xff, 0x03, 0], [0, 3, 9, 65, 66], [0, 0x80]] as [[UInt8]] {
      let error = #expect(throws: ParseError.self) {
        try ObjectFile.objects(in: ByteView(start + end))
      }
      #expect(error?.description.hasPrefix("WebAssembly module: ") == true)
    }
    #expect(throws: Never.self) { try ObjectFile.objects(in: ByteView(start)) }
  }

  @Test("The first body past the end of the code section ends the reading")
  func damagedBody() throws {
    var module = Self.module()
    module.bodies.removeLast(2)
    var bytes = module.build()
    let object = try #require(try ObjectFile.objects(in: ByteView(bytes)).first)
    let code = try #require(object.sections.first { $0.isExecutable })
    bytes[Int(code.fileOffset) + 4] = 100
    let damaged = try #require(try ObjectFile.objects(in: ByteView(bytes)).first)
    #expect(try damaged.symbolTable().symbols.count == 1)
  }
}
