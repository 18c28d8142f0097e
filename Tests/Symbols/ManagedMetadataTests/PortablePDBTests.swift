import Bytes
import Compression
import Identifiers
import ManagedMetadata
import TestSupport
import Testing

@Suite struct PortablePDBTests {
  static func place(_ pdb: PortablePDB, _ method: UInt32, _ offset: UInt32) throws -> String? {
    try pdb.location(method: method, offset: offset).map { "\($0.file):\($0.line):\($0.column)" }
  }

  @Test("Lines of methods by offset; code of the compiler belongs to the statement before it")
  func lines() throws {
    let pdb = try PortablePDB(parsing: ByteView(PortablePDBSample.bytes))
    #expect(pdb.debugID == DebugID("01020304-0506-0708-090a-0b0c0d0e0f10-deadbeef"))
    #expect(pdb.methodCount == 3)
    #expect(try Self.place(pdb, 1, 0) == "/src/Cart.cs:300:9")
    #expect(try Self.place(pdb, 1, 5) == "/src/Cart.cs:300:9")
    #expect(try Self.place(pdb, 1, 303) == "/src/Cart.cs:300:9")
    #expect(try Self.place(pdb, 1, 304) == "/src/Cart.cs:200:79")
    #expect(try Self.place(pdb, 1, .max) == "/src/Cart.cs:200:79")
    #expect(try Self.place(pdb, 2, 0) == nil)
    #expect(try Self.place(pdb, 3, 0) == nil, "before the first point")
    #expect(try Self.place(pdb, 3, 2) == "/src/Cart.cs:10:1")
    #expect(try Self.place(pdb, 3, 8) == "/src/Till.cs:15:1")
    for method: UInt32 in [0, 4, .max] { #expect(try Self.place(pdb, method, 0) == nil) }
    #expect(pdb.sourceMethod(of: 3) == 1)
    #expect(pdb.sourceMethod(of: 1) == nil)
  }

  @Test("Embedded sources, and where to get others")
  func sources() throws {
    let pdb = try PortablePDB(parsing: ByteView(PortablePDBSample.bytes))
    #expect(try pdb.embeddedSource(of: 1)?.text == "class Cart {}")
    #expect(try pdb.embeddedSource(of: 2) == nil)
    #expect(try pdb.embeddedSource(of: .max) == nil)
    #expect(try pdb.sourceLink(for: "/src/a/Cart.cs") == "https://example.org/1a2b/a/Cart.cs")
    #expect(try pdb.sourceLink(for: "/lib/Cart.cs") == "https://example.org/all/lib/Cart.cs")
    #expect(try pdb.sourceLink(for: "C:\\Cart.cs") == nil)
  }

  @Test("Metadata without debug information, and anything else, is not a portable PDB")
  func others() {
    for bytes in [
      MetadataBuilder().bytes, [], Array("BSJB".utf8), Array("MPDB".utf8), Array("text".utf8),
    ] {
      #expect(throws: ParseError.self) { try PortablePDB(parsing: ByteView(bytes)) }
    }
    // A deflate stream of a huge size.
    let packed = Array("MPDB".utf8) + [0xff, 0xff, 0xff, 0xff, 3, 0]
    #expect(throws: ParseError.self) { try PortablePDB(parsing: ByteView(packed)) }
  }

  @Test("Prefixes and mutations are read or refused")
  func mutations() throws {
    let bytes = PortablePDBSample.bytes
    var read = 0
    for variant in bytes.indices.map({ Array(bytes[..<$0]) })
      + Mutator.binary(bytes, count: 4000, seed: 5)
    {
      guard let pdb = try? PortablePDB(parsing: ByteView(variant)) else { continue }
      read += 1
      for method: UInt32 in 0...4 {
        _ = try? pdb.location(method: method, offset: 400)
        _ = pdb.sourceMethod(of: method)
        _ = try? pdb.embeddedSource(of: method)
      }
      _ = try? pdb.sourceLink(for: "/src/Cart.cs")
    }
    #expect(read > 0)
  }
}

@Suite struct ManagedAssemblyTests {
  /// `Shop.Cart` with `Total` twice, its nested type `<Pay>d__1` with `MoveNext`, and an empty type.
  static var built: [UInt8] {
    var builder = MetadataBuilder()
    let guid = builder.guid(PortablePDBSample.id)
    builder.row(0x00, (0, 2), (builder.string("Shop.dll"), 2), (guid, 2), (0, 2), (0, 2))
    let space = builder.string("Shop")
    for (name, space, method) in [
      ("<Module>", 0, 1), ("Cart", space, 1), ("Empty", space, 3), ("<Pay>d__1", 0, 3),
    ] {
      builder.row(
        0x02, (0, 4), (builder.string(name), 2), (space, 2), (0, 2), (1, 2), (method, 2))
    }
    let plain = builder.blob([0x20, 0, 1])
    let generic = builder.blob([0x30, 1, 2, 1, 8, 8])
    for (name, signature) in [
      ("Total", plain), ("Total", generic), ("MoveNext", plain), (".ctor", plain),
    ] {
      builder.row(0x06, (0, 4), (0, 2), (0, 2), (builder.string(name), 2), (signature, 2), (1, 2))
    }
    builder.row(0x29, (4, 2), (2, 2))
    return builder.bytes
  }

  @Test("Methods have names by their rows and rows by their names")
  func names() throws {
    let assembly = try ManagedAssembly(parsing: ByteView(Self.built))
    #expect(assembly.moduleID == DebugID("01020304-0506-0708-090a-0b0c0d0e0f10"))
    #expect(assembly.name(ofMethod: 1) == "Shop.Cart.Total")
    #expect(assembly.name(ofMethod: 3) == "Shop.Cart.<Pay>d__1.MoveNext")
    #expect(assembly.name(ofMethod: 0) == nil)
    #expect(assembly.name(ofMethod: 5) == nil)
    #expect(assembly.methods(named: "Shop.Cart.Total").map(\.row) == [1, 2])
    #expect(assembly.methods(named: "Shop.Cart.Total").map(\.parameters) == [0, 2])
    #expect(assembly.methods(named: "Shop.Cart+<Pay>d__1..ctor").map(\.row) == [4])
    #expect(assembly.methods(named: "Shop.Cart/<Pay>d__1.MoveNext").map(\.row) == [3])
    #expect(assembly.methods(named: "Cart.Total").isEmpty)
  }

  @Test("Prefixes and mutations are read or refused")
  func mutations() throws {
    let bytes = Self.built
    var read = 0
    for variant in bytes.indices.map({ Array(bytes[..<$0]) })
      + Mutator.binary(bytes, count: 4000, seed: 6)
    {
      guard let assembly = try? ManagedAssembly(parsing: ByteView(variant)) else { continue }
      read += 1
      for row: UInt32 in 0...5 { _ = assembly.name(ofMethod: row) }
      _ = assembly.methods(named: "Shop.Cart.Total")
    }
    #expect(read > 0)
  }
}
