/// Aligns two lists: elements that both have share a row, in the order of both.
package struct Alignment: Sendable {
  /// Indexes in the two lists; one is `nil` if only the other list has the element.
  package struct Row: Hashable, Sendable {
    package let first: Int?
    package let second: Int?

    package init(first: Int?, second: Int?) {
      self.first = first
      self.second = second
    }
  }

  package let rows: [Row]

  /// The longest common subsequence, with the elements in between.
  ///
  /// - Parameters:
  ///   - most: The number of elements of each list that are compared; the rest is left out.
  ///   - isAlike: Whether two elements may share a row.
  /// - Complexity: O(first × second), both at most `most`.
  package init<Element>(
    _ first: [Element], _ second: [Element], most: Int, by isAlike: (Element, Element) -> Bool
  ) {
    let left = first.prefix(most)
    let right = second.prefix(most)
    let width = right.count + 1
    // Lengths of the longest common subsequences of the remaining elements.
    var lengths = [UInt16](repeating: 0, count: (left.count + 1) * width)
    for i in left.indices.reversed() {
      for j in right.indices.reversed() {
        lengths[i * width + j] =
          isAlike(left[i], right[j])
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var rows: [Row] = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      if i < left.count, j < right.count, isAlike(left[i], right[j]) {
        rows.append(Row(first: i, second: j))
        (i, j) = (i + 1, j + 1)
      } else if j >= right.count
        || i < left.count && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]
      {
        rows.append(Row(first: i, second: nil))
        i += 1
      } else {
        rows.append(Row(first: nil, second: j))
        j += 1
      }
    }
    self.rows = rows
  }
}
