internal import Bytes

/// Lines of code over lines of code: where several cover an address, the one that was added last
/// counts.
struct LineOverlay: ~Copyable {
  struct Layer: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
    var location: ModuleLines.Location
  }

  /// In the order in which they were added.
  private var layers = Table<Layer>()

  mutating func add(from start: UInt32, to end: UInt32, location: ModuleLines.Location) {
    layers.append(Layer(start: start, end: end, location: location))
  }

  mutating func removeAll() { layers.removeAll() }

  /// Hands the lines to `body`, sorted and apart.
  ///
  /// - Complexity: O(n log n).
  func flatten(body: (UInt32, UInt32, ModuleLines.Location) -> Void) {
    var order = (0..<UInt32(truncatingIfNeeded: layers.count)).map { $0 }
    order.sort { left, right in
      let first = layers[Int(left)].start
      let second = layers[Int(right)].start
      return first != second ? first < second : left < right
    }
    var heap = MaxHeap()
    var position: UInt32 = 0
    for next in order {
      let start = layers[Int(next)].start
      position = drain(&heap, from: position, to: start, body: body)
      heap.insert(next)
    }
    _ = drain(&heap, from: position, to: .max, body: body)
  }

  /// Hands out what counts before `limit`.
  private func drain(
    _ heap: inout MaxHeap, from position: UInt32, to limit: UInt32,
    body: (UInt32, UInt32, ModuleLines.Location) -> Void
  ) -> UInt32 {
    var position = position
    while position < limit, let top = heap.largest {
      let layer = layers[Int(top)]
      if layer.end <= position {
        heap.removeLargest()
        continue
      }
      let end = min(layer.end, limit)
      body(max(position, layer.start), end, layer.location)
      position = end
    }
    return limit
  }
}

/// Numbers of which the largest is at hand.
struct MaxHeap: ~Copyable {
  private var numbers = Table<UInt32>()

  var largest: UInt32? { numbers.isEmpty ? nil : numbers[0] }

  mutating func insert(_ number: UInt32) {
    numbers.append(number)
    var slot = numbers.count - 1
    while slot > 0 {
      let parent = (slot - 1) / 2
      guard numbers[parent] < number else { break }
      numbers[slot] = numbers[parent]
      slot = parent
    }
    numbers[slot] = number
  }

  mutating func removeLargest() {
    let number = numbers.removeLast()
    guard !numbers.isEmpty else { return }
    var slot = 0
    while true {
      var child = slot * 2 + 1
      guard child < numbers.count else { break }
      if child + 1 < numbers.count, numbers[child + 1] > numbers[child] { child += 1 }
      guard numbers[child] > number else { break }
      numbers[slot] = numbers[child]
      slot = child
    }
    numbers[slot] = number
  }
}
