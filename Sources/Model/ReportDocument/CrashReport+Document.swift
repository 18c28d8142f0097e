public import Bytes
public import CrashModel
public import Identifiers
internal import JSON

/// The report as a document: what `--json` prints, the API answers and the store keeps.
///
///     { "schema": 1, "id": "...", "format": "apple-ips", "kind": "crash", "incident": "...",
///       "app": {"name", "identifier", "version", "build"}, "time", "received", "group",
///       "store_app", "withheld": ["user"], "install", "user",
///       "os": {"name", "version", "build"}, "device": {"model", "arch"},
///       "process": {"name", "pid", "path", "uptime"},
///       "reason": {"type", "signal", "code", "address", "message",
///                  "exception": {"type", "message", "frames", "inner"}},
///       "crashed_thread": 0,
///       "threads": [{"index", "id", "name", "crashed", "registers": {"rip": "0x..."},
///                    "last_error", "frames"}],
///       "images": [{"index", "name", "path", "arch", "debug_id", "code_id", "debug_file",
///                   "base", "size", "version", "symbols": {"status", "file", "match", "debug_id", "tried": [
///                      {"file", "verdict", "debug_id", "arch", "detail"}]}}],
///       "unloaded_images": [as "images"],
///       "attachments": [{"name", "content_type", "size", "digest"}],
///       "breadcrumbs": [{"time", "name", "properties"}],
///       "other_stacks": [{"title", "frames"}], "tags": {}, "properties": {},
///       "signature": {"text", "hash", "alternatives", "category", "rules", "provisional",
///                     "waits_for", "steps": [{"frame", "subject", "result", "class", "rule",
///                                             "used", "left_out"}]},
///       "engine": {"version", "symbol_cache", "rules_digest", "scrub_rules",
///                  "debug_files": {"debug_id": "digest"}}, "notes": ["..."] }
///
/// A frame is
///
///     {"index", "address", "position", "image", "image_offset", "function", "symbol",
///      "symbol_offset", "file", "line", "column", "source": {"first": 9, "lines": ["..."]},
///      "inlined", "in_app", "trust"}
///
/// Addresses and offsets into images are lower-case hexadecimal strings with `0x`; times are RFC
/// 3339 in UTC; `crashed_thread` and `image` are positions in `threads` and `images`. `position` says
/// what the address points at: `exact`, `return` or `adjusted`. Every field but `schema`, `id` and
/// `format` may be absent. Names are fixed: a field may be added, a change of meaning raises `schema`.
///
/// Reading a document back gives an equal report. Two bounds hold on writing: exceptions nest at most
/// ``maximumExceptionDepth`` deep, and a number that is not finite is left out.
extension CrashReport {
  /// The document's version.
  public static var documentSchema: Int { 1 }

  /// How deep exceptions inside exceptions are written and read.
  public static var maximumExceptionDepth: Int { 24 }

  /// The report as one document.
  ///
  /// - Parameters:
  ///   - id: What the report is called; the incident's identifier, or nothing, where it is `nil`.
  ///   - received: When it arrived.
  ///   - pretty: Whether to indent; otherwise it is one line. No line break follows either.
  public func document(
    id: String? = nil, received: Timestamp? = nil, pretty: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    write(to: &writer, id: id, received: received)
    return writer.takeBytes()
  }

  /// Reads what ``document(id:received:pretty:)`` writes.
  ///
  /// - Throws: ``ParseError`` when `document` is not a whole JSON document, or not that of a report, or
  ///   of a later schema.
  public init(document: ByteView) throws(ParseError) {
    self = try StoredReport(document: document).report
  }
}
