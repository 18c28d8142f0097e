internal import Bytes

/// The names in a folder, sorted, in little memory: a folder may hold a hundred thousand.
public struct SortedNames {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var order: [Int] = []

  public var count: Int { order.count }

  public init() {}

  public mutating func add(_ name: UnsafeRawBufferPointer) {
    bytes += name
    order.append(ends.count)
    ends.append(bytes.count)
  }

  public mutating func sort() {
    let table = self
    order.sort { table.raw($0).lexicographicallyPrecedes(table.raw($1)) }
  }

  public subscript(index: Int) -> ArraySlice<UInt8> { raw(order[index]) }

  public func contains(_ name: some Collection<UInt8>) -> Bool {
    let index = firstIndex(from: name)
    return index < count && self[index].elementsEqual(name)
  }

  /// The names that begin with `prefix` and go on.
  public func names(behind prefix: some Collection<UInt8>) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var index = firstIndex(from: prefix)
    while index < count, self[index].starts(with: prefix) {
      if self[index].count > prefix.count { names.append(Array(self[index])) }
      index += 1
    }
    return names
  }

  /// The index of the first name that does not come before `name`.
  private func firstIndex(from name: some Collection<UInt8>) -> Int {
    (0..<count).lowerBound { self[$0].lexicographicallyPrecedes(name) }
  }

  private func raw(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }
}
