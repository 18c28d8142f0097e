internal import Bytes

/// The locations of a page while its block is built: the one at its first byte, and each change.
struct LocationRows: ~Copyable, Sendable {
  struct Row: BitwiseCopyable, Sendable {
    var location: UInt64
    var slot: UInt8
    /// The index among ``files``.
    var index: UInt8
  }

  /// A file and a set of its lines that are close to each other.
  struct File: BitwiseCopyable, Sendable {
    /// The number of the file in the object.
    var number: UInt32
    var least: UInt32
    var most: UInt32
  }

  private var rows = Table<Row>()
  private var files = Table<File>()
  private var columnSize = 0
  private var indexBits = 0

  /// The row after the last change.
  var carry: UInt64 {
    get { rows[rows.count &- 1].location }
    set { rows[rows.count &- 1].location = newValue }
  }

  init() { rows.append(Row(location: 0, slot: 0, index: 0)) }

  var count: Int { rows.count }

  func slot(_ index: Int) -> UInt8 { rows[index].slot }

  /// Begins another page.
  mutating func begin() {
    let location = carry
    rows.removeAll()
    rows.append(Row(location: location, slot: 0, index: 0))
  }

  /// Adds a location that counts from `slot` on, which is not below earlier slots. The last of
  /// several at one slot counts.
  @inline(__always)
  mutating func add(_ slot: UInt8, _ location: UInt64) {
    let last = rows.count &- 1
    guard rows[last].slot == slot else {
      rows.append(Row(location: location, slot: slot, index: 0))
      return
    }
    rows[last].location = location
    if last > 0, rows[last &- 1].location == location { rows.truncate(to: last) }
  }

  /// The format of the output of ``write(to:_:)``, for the header of the block.
  var form: UInt8 {
    guard hasLocations else { return 0 }
    return SymbolCacheFormat.BlockForm.hasLocations
      | UInt8(columnSize) &<< SymbolCacheFormat.BlockForm.columns
      | UInt8(indexBits / 4) &<< SymbolCacheFormat.BlockForm.indices
  }

  private var hasLocations: Bool { rows.count > 1 || carry > 0 }

  /// Determines the files, and the widths of numbers.
  mutating func arrange() {
    files.removeAll()
    var columns: UInt64 = 0
    var current = 0
    for index in 0..<rows.count {
      let location = rows[index].location
      columns |= location & 0xffff
      let number = UInt32(truncatingIfNeeded: location &>> 42)
      let line = UInt32(truncatingIfNeeded: location &>> 16) & 0x3ff_ffff
      if !take(line, of: number, at: current) {
        current = 0
        while current < files.count, !take(line, of: number, at: current) { current &+= 1 }
        if current == files.count { files.append(File(number: number, least: line, most: line)) }
      }
      rows[index].index = UInt8(truncatingIfNeeded: current)
    }
    columnSize = columns == 0 ? 0 : columns < 1 << 8 ? 1 : 2
    indexBits = files.count == 1 ? 0 : files.count <= 16 ? 4 : 8
  }

  /// Whether a line can be stored with the lines of a file.
  @inline(__always)
  private mutating func take(_ line: UInt32, of number: UInt32, at index: Int) -> Bool {
    guard index < files.count else { return false }
    let file = files[index]
    let least = min(file.least, line)
    let most = max(file.most, line)
    guard file.number == number, most &- least <= 0xff else { return false }
    files[index] = File(number: number, least: least, most: most)
    return true
  }

  func write(to block: inout Table<UInt8>, _ locations: LineLocations) {
    guard hasLocations else { return }
    for index in 0..<rows.count {
      let row = rows[index]
      let line = UInt32(truncatingIfNeeded: row.location &>> 16)
      block.append(UInt8(truncatingIfNeeded: line &- files[Int(row.index)].least))
    }
    if columnSize > 0 {
      for index in 0..<rows.count {
        let location = rows[index].location
        block.append(UInt8(truncatingIfNeeded: location))
        if columnSize > 1 { block.append(UInt8(truncatingIfNeeded: location &>> 8)) }
      }
    }
    if indexBits == 8 {
      for index in 0..<rows.count { block.append(rows[index].index) }
    } else if indexBits == 4 {
      for index in stride(from: 0, to: rows.count, by: 2) {
        let next = index &+ 1 < rows.count ? rows[index &+ 1].index : 0
        block.append(rows[index].index | next &<< 4)
      }
    }
    for index in 0..<files.count {
      let number = locations.paths.known(files[index].number)
      let line = files[index].least
      if locations.isWide {
        block.put(number)
        block.put(line)
      } else {
        block.append(UInt8(truncatingIfNeeded: number))
        block.append(UInt8(truncatingIfNeeded: number &>> 8))
        block.append(UInt8(truncatingIfNeeded: line))
        block.append(UInt8(truncatingIfNeeded: line &>> 8))
        block.append(UInt8(truncatingIfNeeded: line &>> 16))
      }
    }
  }
}
