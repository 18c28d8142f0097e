internal import Bytes
internal import DWARF
internal import DebugInfo
internal import Identifiers
internal import ObjectFormats
internal import TestSupport

/// The addresses at which answers change, and random ones between them, for comparing symbolizers.
struct EdgeList {
  private var random = SplitMix(seed: 1)
  private var addresses: Set<UInt64> = []

  /// Prints linked addresses in hexadecimal, one per line, ascending, the same ones each time.
  ///
  /// - Parameters:
  ///   - count: Number of random addresses, and of functions, inlined calls, line rows and symbols whose
  ///     edges are printed; all where there are fewer.
  static func run(file: String, count: Int, architecture: String?) throws {
    let objects = try ObjectFile.objects(in: ByteView(mapping: file))
    guard
      let object = objects.first(where: {
        architecture == nil || $0.architecture.description == architecture
      })
    else { throw ParseError(.unsupported("this architecture"), in: file, at: 0) }
    var list = EdgeList()
    try list.collect(object, count: count)
    for address in list.addresses.sorted() { print(address.hexadecimal) }
  }

  private mutating func collect(_ object: ObjectFile, count: Int) throws {
    let code = try ObjectCode(object)
    let base = object.imageBase
    // The first and the last byte of each range, and the bytes before and after it.
    pick(count / 2, of: code.codeRanges.table.count) { list, index in
      let codeRange = code.codeRanges.table[index]
      list.edge(base &+ UInt64(codeRange.start))
      list.edge(base &+ UInt64(codeRange.end))
    }
    pick(count, of: code.tables.rows.count) { list, index in
      list.edge(base &+ UInt64(code.tables.rows[index].address))
    }
    pick(count / 4, of: code.tables.sequences.count) { list, index in
      let sequence = code.tables.sequences[index]
      list.edge(base &+ UInt64(sequence.start))
      list.edge(base &+ UInt64(sequence.end))
    }
    let symbols = code.symbols.symbols
    pick(count / 4, of: symbols.count) { list, index in
      list.edge(symbols[index].address)
      list.edge(symbols[index].address &+ symbols[index].size)
    }
    // Text files do not say where code is.
    addresses = addresses.filter { address in
      object.executableRanges.contains { $0.contains(address) }
        || object.executableRanges.isEmpty && address >= base && address <= UInt64(UInt32.max)
    }
    let size = object.executableRanges.reduce(0) { $0 &+ UInt64($1.count) }
    for _ in 0..<count where size > 0 {
      var offset = random.next() % size
      for range in object.executableRanges {
        if offset < UInt64(range.count) {
          addresses.insert(range.lowerBound &+ offset)
          break
        }
        offset -= UInt64(range.count)
      }
    }
  }

  private mutating func edge(_ address: UInt64) {
    addresses.insert(address)
    addresses.insert(address &- 1)
  }

  /// Calls `body` with `count` random indices below `total`, or with all of them.
  private mutating func pick(
    _ count: Int, of total: Int, _ body: (inout EdgeList, Int) -> Void
  ) {
    if total <= count {
      for index in 0..<total { body(&self, index) }
    } else {
      for _ in 0..<count {
        let index = random.below(total)
        body(&self, index)
      }
    }
  }
}
