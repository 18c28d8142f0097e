import Bytes
import Pipeline
import ReportFormats
import TestSupport
import Testing

/// Every sample of text as users have it: after the prefixes of loggers and containers, in JSON, in mails,
/// quoted, in Markdown and on web pages. The result must equal that of the bare sample.
@Suite("Wrapped samples") struct WrappingMatrixTests {
  /// A message of Python may have several lines, and ends before another's.
  private static let open = [("among other lines", "python-traceback/thread")]

  @Test("Every sample in every wrapping", arguments: Wrapping.all)
  func wrapped(wrapping: Wrapping) throws {
    var wrong: [String] = []
    for sample in WrappedSamples.all {
      if Self.open.contains(where: { $0.0 == wrapping.name && sample.hasPrefix($0.1) }) { continue }
      let bytes = try Samples.bytes(sample)
      var bare = try #require(ReportFacts.of(bytes))
      if let app = wrapping.app { bare = bare.map { $0.named(app).withoutKey } }
      var wrapped = ReportFacts.of(wrapping.wrap(bytes))
      if wrapping.app != nil { wrapped = wrapped?.map { $0.withoutKey } }
      if wrapped == bare { continue }
      let place = "\(wrapping.name)\t\(sample)"
      wrong.append(
        "\(place)\t\(wrapped.map { ReportFacts.difference(bare, $0) } ?? "not recognised")")
    }
    #expect(wrong == [])
  }
}
