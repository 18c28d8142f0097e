internal import Bytes

/// A number for each row, for loops over rows of several segments.
struct FlatColumn: Sendable {
  private let bytes: ByteView
  /// In bytes; 0 where each row has the base.
  private let width: Int
  private let base: Int

  private init(bytes: ByteView, width: Int, base: Int) {
    self.bytes = bytes
    self.width = width
    self.base = base
  }

  /// The values of a column, which are copied where they are not stored row by row.
  init(_ data: ColumnData) {
    guard !data.isNumber else {
      self.init(bytes: data.values, width: data.width, base: data.entry.base)
      return
    }
    guard data.entry.encoding != .constant else {
      self.init(bytes: .empty, width: 0, base: data.entry.base)
      return
    }
    var cursor = ColumnCursor(data)
    self.init((0..<data.rowCount).lazy.map { cursor.value(atRow: $0) })
  }

  init(_ numbers: some Sequence<Int>) {
    var table = Table<UInt8>()
    for number in numbers { table.append(littleEndian: number) }
    self.init(bytes: ByteView(taking: table), width: 8, base: 0)
  }

  var reader: Reader {
    @_lifetime(borrow self)
    get { Reader(bytes: bytes.bytes, width: width, base: base) }
  }

  struct Reader: ~Escapable {
    private let bytes: RawSpan
    private let width: Int
    private let base: Int

    @_lifetime(copy bytes)
    init(bytes: RawSpan, width: Int, base: Int) {
      self.bytes = bytes
      self.width = width
      self.base = base
    }

    /// The number of a row, which exists.
    @inline(__always)
    subscript(row: Int) -> Int {
      width == 0 ? base : base &+ Int(bitPattern: UInt(bytes.number(row, width: width)))
    }
  }
}
