internal import CrashModel
internal import Query
internal import Segments

/// A column of the index whose values are compared.
struct ComparedField: Hashable {
  /// Its name in queries.
  let name: String
  let field: SearchField
  /// Only this tag; `nil` for all.
  var tag: String?

  /// The column that holds its numbers.
  var column: SearchField { field.set ?? field }
  var isRelease: Bool { field == .version || field == .release || field == .build }

  /// Fields that describe the origin of a report, not the crash, which already determined its group.
  static let usual: [ComparedField] =
    ["version", "os", "os.build", "device", "arch", "process", "format"]
    .compactMap { QueryField(named: $0) }.flatMap(fields)
    + [ComparedField(name: "tag", field: .tag), ComparedField(name: "uptime", field: .uptime)]

  /// Tags that describe how the program crashed.
  static let crashTags = Set(
    ([
      .bugType, .threadName, .threadID, .exceptionCodes, .exceptionNative, .exceptionLocation,
      .checkLocation, .vmRegion, .terminationNamespace, .terminationCode, .terminationReason,
      .terminationBy, .jetsamLargestProcess, .panicFlags, .panicTask, .title, .kernelFunction,
      .panic, .workqueue, .code, .macOSPanic, .objcSelector, .sanitizer, .access, .leak, .cause,
      .signalSender,
    ] as [ReportTag]).map(\.description))

  /// - Returns: Empty for a field whose values are not counted.
  static func fields(of field: QueryField) -> [ComparedField] {
    if field.sources == [.uptime] { return [ComparedField(name: "uptime", field: .uptime)] }
    guard field.isCountable else { return [] }
    return field.sources.compactMap { source in
      SearchField(source).flatMap { found in
        found.isShape ? nil : ComparedField(name: field.name, field: found, tag: field.tag)
      }
    }
  }

  /// Returns the code by which a number is compared: that of its range.
  func code(_ number: Int) -> Int {
    guard field == .uptime, number > 0 else { return number }
    return 1 + Self.seconds.count { $0 * 1000 < number }
  }

  /// The column of a segment by which rows are counted: by the codes of ranges, or by the numbers.
  var counted: CountedColumn {
    CountedColumn(
      SegmentColumn(column), bounds: field == .uptime ? [0] + Self.seconds.map { $0 * 1000 } : nil)
  }

  /// Bounds of the ranges of seconds since the start.
  private static let seconds = [5, 60, 3600]

  /// Returns the text of a range.
  func text(ofRange code: Int) -> String {
    let (lower, upper) = (code - 2, code - 1)
    guard Self.seconds.indices.contains(lower) else { return "<\(Self.seconds[0])" }
    return Self.seconds.indices.contains(upper)
      ? "\(Self.seconds[lower])..\(Self.seconds[upper])" : ">=\(Self.seconds[lower])"
  }
}
