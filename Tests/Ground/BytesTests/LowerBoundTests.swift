import Bytes
import Testing

@Suite("The lower bound of a sorted collection")
struct LowerBoundTests {
  @Test("It is where a linear search ends, for every size and every number", arguments: 0...20)
  func everywhere(count: Int) {
    let numbers = (0..<count).map { $0 / 3 * 2 }
    for wanted in -1...(count + 2) {
      let expected = numbers.firstIndex { $0 >= wanted } ?? count
      #expect(numbers.lowerBound { $0 < wanted } == expected)
      #expect((0..<count).lowerBound { numbers[$0] < wanted } == expected)
      #expect(numbers.dropFirst(2).lowerBound { $0 < wanted } == max(expected, min(2, count)))
    }
  }
}
