internal import Bytes
internal import Identifiers

/// The custom section `build_id`.
///
///     SIZE  FIELD
///     LEB   length of the id in bytes
///        n  id
///
/// Tools older than that convention wrote the id alone, and some that report crashes still take the
/// length for the first byte of the id: `17 bytes: 10 bb 68 …` is known as `bb68…` and as `10bb68…`.
///
/// Source: WebAssembly tool conventions, "BuildId.md"; the two readings from getsentry/symbolic,
/// issue 1069.
struct WasmBuildID: Sendable {
  /// The id itself.
  let bytes: [UInt8]
  /// The id of those who take the length as a part of it, where there is one.
  let withLength: [UInt8]?

  /// `nil` for an empty section, or one that is too long for an id.
  init?(_ view: ByteView) {
    guard view.count > 0, view.count <= ObjectLimits.buildIDBytes else { return nil }
    var reader = ByteReader(view.bytes, reading: "build id")
    let all = view.array
    if let count = try? reader.readWasmCount(), count > 0, count == reader.remaining {
      bytes = Array(all[reader.position...])
      withLength = all
    } else {
      bytes = all
      withLength = nil
    }
  }

  /// The first sixteen bytes as they are; `nil` where there are fewer.
  static func debugID(_ id: [UInt8]) -> DebugID? {
    id.count < 16 ? nil : DebugID(uuid: id)
  }
}
