package import Bytes

/// The receiver of the rows that ``CallFrameReader`` reads.
package protocol CallFrameOutput: ~Copyable {
  /// Keeps the operations of an expression, which were checked; see ``ExpressionReader``.
  ///
  /// - Returns: The number by which rules name it from now on.
  mutating func addExpression(_ operations: [UInt8]) -> UInt32

  /// Begins the rows of the code from `start` to before `end`.
  mutating func open(_ start: UInt32, _ end: UInt32)

  /// From `start` on, which lies in the function and after the row before, `rules` hold.
  ///
  /// - Throws: ``ParseError`` to give the function up from here on.
  mutating func addRow(_ start: UInt32, _ rules: borrowing CallFrameRules) throws(ParseError)

  /// Ends the rows of the function, before `end` where nothing is known from there on.
  mutating func close(at end: UInt32?)

  /// Something was damaged and left out.
  mutating func note(_ text: String)
}
