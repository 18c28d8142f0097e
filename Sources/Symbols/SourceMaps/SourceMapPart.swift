internal import Bytes
internal import JSON

/// A map without sections: the whole of a plain one, or one section of an indexed one.
struct SourceMapPart: Sendable {
  /// Where its first line and column are in the generated code, from 0.
  var line: Int32 = 0
  var column: Int32 = 0
  var mappings: MappingIndex
  var sources: [SourceMapText] = []
  var contents: [SourceMapText] = []
  var names: [SourceMapText] = []
  /// Indices of sources that are not the author's code, sorted.
  var ignored: [Int32] = []
  /// The function map of each source that Metro wrote: an object `{"names": […], "mappings": "…"}`.
  var functionMaps: [FunctionMap.MapRange] = []
  var sourceRoot: String?

  /// Moves the part to where the map around it has its start.
  ///
  /// - Throws: ``ParseError`` where it is too far away.
  mutating func move(_ line: Int32, _ column: Int32, _ position: Int) throws(ParseError) {
    let (newLine, isFar) = self.line.addingReportingOverflow(line)
    let (newColumn, isWide) = self.column.addingReportingOverflow(self.line == 0 ? column : 0)
    guard !isFar, !isWide else {
      throw ParseError(
        .invalid("a section at a line or column out of range"), in: "source map", at: position)
    }
    self.line = newLine
    self.column = newColumn
  }
}
