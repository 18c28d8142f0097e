internal import Bytes
internal import CrashModel
internal import ObjectFormats

/// The relocations of a debug section in an ELF object that is not linked: places that want the
/// address of a symbol, which is what a linker would write. Linked files keep some of them too
/// (`--emit-relocs`), and there they are done already.
///
///     RELA  32  64  SIZE     FIELD
///            0   0  4 / 8    place in the section
///            4   8  4 / 8    symbol (all but the low 8 or 32 bits) and type
///            8  16  4 / 8    what to add; without it (REL) that stands at the place
///
/// Source: System V gABI, chapter 4, "Relocation"; the types from the ABI of each processor.
struct Relocations {
  /// How a type changes its place.
  private enum Action {
    case set(size: Int)
    case add(size: Int)
    case subtract(size: Int)
  }

  private let entries: ByteView
  private let symbols: ByteView
  private let hasAddend: Bool
  private let object: ObjectFile

  /// Those of the section with a name that has no prefix; `nil` if it has none.
  init?(of name: String, in object: ObjectFile) throws(ParseError) {
    guard object.kind == .relocatable, object.container == .elf,
      let table = object.section(named: "symtab")
    else { return nil }
    if let section = object.section(named: "rela." + name) {
      hasAddend = true
      entries = try object.contents(of: section)
    } else if let section = object.section(named: "rel." + name) {
      hasAddend = false
      entries = try object.contents(of: section)
    } else {
      return nil
    }
    symbols = try object.contents(of: table)
    self.object = object
  }

  /// A copy of `view` as a linker would leave it with every section at address 0; entries that lie
  /// outside it or are of an unknown type change nothing.
  func applied(to view: ByteView) -> ByteView {
    var bytes = Table<UInt8>(minimumCapacity: view.count)
    bytes.append(contentsOf: view.bytes)
    let isWide = object.addressSize == 8
    var reader = ByteReader(
      entries.bytes, reading: "relocations", endianness: object.endianness)
    while !reader.isAtEnd {
      guard let place = try? reader.readUnsigned(size: object.addressSize),
        let information = try? reader.readUnsigned(size: object.addressSize),
        let addend = try? hasAddend ? reader.readUnsigned(size: object.addressSize) : 0
      else { break }
      let symbol = information >> (isWide ? 32 : 8)
      let type = information & (isWide ? 0xffff_ffff : 0xff)
      guard let action = action(of: type) else { continue }
      apply(action, value(of: symbol) &+ addend, at: place, to: &bytes)
    }
    return ByteView(taking: bytes)
  }

  private func apply(
    _ action: Action, _ value: UInt64, at place: UInt64, to bytes: inout Table<UInt8>
  ) {
    let size =
      switch action {
      case .set(let size), .add(let size), .subtract(let size): size
      }
    guard size <= bytes.count, place <= UInt64(bytes.count - size) else { return }
    var old: UInt64 = 0
    let isBig = object.endianness == .big
    for index in 0..<size {
      let byte = bytes[Int(place) + (isBig ? index : size - 1 - index)]
      old = old << 8 | UInt64(byte)
    }
    var new =
      switch action {
      case .set: hasAddend ? value : value &+ old
      case .add: old &+ value
      case .subtract: old &- value
      }
    for index in 0..<size {
      bytes[Int(place) + (isBig ? size - 1 - index : index)] = UInt8(truncatingIfNeeded: new)
      new >>= 8
    }
  }

  /// The value of a symbol: its offset in its section.
  private func value(of symbol: UInt64) -> UInt64 {
    let isWide = object.addressSize == 8
    let (start, overflow) = symbol.multipliedReportingOverflow(by: isWide ? 24 : 16)
    guard !overflow,
      let entry = try? symbols.slice(at: start, count: isWide ? 24 : 16, of: "symbol")
    else { return 0 }
    var reader = ByteReader(entry.bytes, reading: "symbol", endianness: object.endianness)
    try? reader.skip(isWide ? 8 : 4)
    return (try? reader.readUnsigned(size: object.addressSize)) ?? 0
  }

  private func action(of type: UInt64) -> Action? {
    switch (object.architecture, type) {
    case (.x86_64, 1), (.arm64, 257), (.riscv64, 2), (.s390x, 22), (.ppc64, 38), (.ppc64le, 38):
      .set(size: 8)
    case (.x86_64, 10), (.x86_64, 11), (.arm64, 258), (.riscv64, 1), (.s390x, 4), (.ppc64, 1),
      (.ppc64le, 1), (.ppc, 1), (.i386, 1), (.mips, 2), (.arm, 2), (.armv6, 2), (.armv7, 2),
      (.riscv32, 1):
      .set(size: 4)
    case (.riscv64, 33...36), (.riscv32, 33...36): .add(size: 1 << Int(type - 33))
    case (.riscv64, 37...40), (.riscv32, 37...40): .subtract(size: 1 << Int(type - 37))
    case (.riscv64, 54...56), (.riscv32, 54...56): .set(size: 1 << Int(type - 54))
    default: nil
    }
  }
}
