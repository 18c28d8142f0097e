internal import Bytes

/// The dynamic section: the loader's data, found through the program headers alone.
///
///     32  64  SIZE    FIELD
///      0   0     4/8  tag
///      4   8     4/8  value or address
///
/// Source: System V gABI, chapter 5, "Dynamic Section"; DT_GNU_HASH in elf.h.
struct ELFDynamic {
  private static let tagEnd: UInt64 = 0
  private static let tagHash: UInt64 = 4
  private static let tagStrings: UInt64 = 5
  private static let tagSymbols: UInt64 = 6
  private static let tagStringsSize: UInt64 = 10
  private static let tagLibraryName: UInt64 = 14
  private static let tagGNUHash: UInt64 = 0x6fff_fef5
  private static let tagFlags: UInt64 = 0x6fff_fffb
  /// `DF_1_PIE` in the value of `DT_FLAGS_1`.
  private static let flagProgram: UInt64 = 0x0800_0000

  private var hash: UInt64?
  private var gnuHash: UInt64?
  private var strings: UInt64?
  private var stringsSize: UInt64?
  private var symbols: UInt64?
  /// Whether the linker says that this shared object is a program.
  private(set) var isProgram = false
  /// Whether it has a name for others to link with, as libraries do even where they can be run.
  private(set) var hasLibraryName = false

  init?(file: ELFFile) {
    guard
      let segment = file.segments.first(where: { $0.type == ELFProgramHeader.typeDynamic }),
      let view = try? file.bytes.slice(
        at: segment.offset, count: segment.fileSize, of: "ELF dynamic section")
    else { return nil }
    var reader = ByteReader(
      view.bytes, reading: "ELF dynamic section", endianness: file.endianness)
    for _ in 0..<ObjectLimits.dynamicEntries {
      guard let tag = try? reader.readUnsigned(size: file.addressSize),
        let value = try? reader.readUnsigned(size: file.addressSize), tag != Self.tagEnd
      else { break }
      switch tag {
      case Self.tagHash: hash = value
      case Self.tagGNUHash: gnuHash = value
      case Self.tagStrings: strings = value
      case Self.tagStringsSize: stringsSize = value
      case Self.tagSymbols: symbols = value
      case Self.tagLibraryName: hasLibraryName = true
      case Self.tagFlags: isProgram = value & Self.flagProgram != 0
      default: break
      }
    }
  }

  /// The dynamic symbols and their names, where the loader would find them.
  func symbolRange(of file: ELFFile) -> ELFSymbolRange? {
    guard let symbols, let strings, let stringsSize,
      let names = file.loaded(at: strings), let table = file.loaded(at: symbols),
      let count = count(in: file)
    else { return nil }
    let bytes = count.multipliedReportingOverflow(
      by: ELFSymbol.byteCount(addressSize: file.addressSize))
    return ELFSymbolRange(
      symbols: table.clamped(0..<(bytes.overflow ? table.count : bytes.partialValue)),
      names: names.clamped(0..<Int(clamping: stringsSize)))
  }

  /// How many symbols there are: no tag says so, but the hash tables cover all of them.
  private func count(in file: ELFFile) -> Int? {
    if let hash, let view = file.loaded(at: hash) {
      // Words: number of buckets, number of chain entries, which is that of symbols.
      var reader = ByteReader(view.bytes, reading: "ELF hash", endianness: file.endianness)
      if (try? reader.skip(4)) != nil, let count = try? reader.read(UInt32.self) {
        return Int(count)
      }
    }
    if let gnuHash, let view = file.loaded(at: gnuHash) {
      return Self.count(inGNUHash: view, file)
    }
    return nil
  }

  /// One more than the highest symbol in the table.
  ///
  /// Words: number of buckets, first symbol that is hashed, number of bloom words of the address
  /// size, shift; bloom words; buckets, each the first symbol of a chain; one word a hashed symbol,
  /// whose lowest bit ends its chain.
  private static func count(inGNUHash view: ByteView, _ file: ELFFile) -> Int? {
    var reader = ByteReader(view.bytes, reading: "GNU hash", endianness: file.endianness)
    guard let bucketCount = try? reader.read(UInt32.self),
      let first = try? reader.read(UInt32.self), let bloomCount = try? reader.read(UInt32.self),
      (try? reader.skip(4 + Int(bloomCount) * file.addressSize)) != nil
    else { return nil }
    var highest: UInt32 = 0
    for _ in 0..<bucketCount {
      guard let symbol = try? reader.read(UInt32.self) else { return nil }
      highest = max(highest, symbol)
    }
    guard highest >= first else { return Int(first) }
    guard (try? reader.skip(Int(highest - first) * 4)) != nil else { return nil }
    var count = Int(highest)
    for _ in 0..<ObjectLimits.dynamicEntries {
      guard let word = try? reader.read(UInt32.self) else { return nil }
      count += 1
      if word & 1 != 0 { return count }
    }
    return nil
  }
}

extension ELFFile {
  /// The bytes of the file that are loaded at `address`, to the end of their segment.
  fileprivate func loaded(at address: UInt64) -> ByteView? {
    for segment in segments where segment.type == ELFProgramHeader.typeLoad {
      guard address >= segment.address, address - segment.address < segment.fileSize else {
        continue
      }
      let skipped = address - segment.address
      let offset = segment.offset.addingReportingOverflow(skipped)
      guard !offset.overflow else { return nil }
      return try? bytes.slice(
        at: offset.partialValue, count: segment.fileSize - skipped, of: "ELF segment")
    }
    return nil
  }
}
