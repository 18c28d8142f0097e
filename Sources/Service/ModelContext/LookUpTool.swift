internal import APIDocuments
internal import Bytes
internal import CrashService
internal import Documents
internal import Identifiers
internal import JSON
internal import ServerStore

/// The tool that looks up offsets of images in stored debug files.
enum LookUpTool {
  static let tool = ModelContextTool(
    name: "lookup", title: "Look up offsets",
    meaning: """
      Find the function, file and line of offsets in an image whose debug file is stored, with \
      inlined calls. Of a return address on a stack, look up the offset minus one.
      """,
    scope: .symbols,
    input: [
      .always("id", .text(atLeast: 1), "The image's debug id or build id."),
      .always(
        "offsets", .list(.address, atLeast: 1, atMost: StoredLookUp.mostOffsets),
        "Offsets from the start of the image, in hexadecimal: 0x1f0."),
      .maybe("arch", .text(atLeast: 1), "Needed if several architectures have the id: arm64."),
    ],
    output: .object([
      .always("items", .list(.object(LookedUpOffset.declaration.schemaMembers.map(\.standalone))))
    ])
  ) { arguments, host in
    guard let lookUp = host.lookUp else {
      throw ServiceError("nothing can be looked up here", .notAllowed)
    }
    let offsets = try arguments.texts("offsets").map { text in
      guard text.hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16) else {
        throw ServiceError("offsets has one that is not hexadecimal such as 0x1f0", .wrongUsage)
      }
      return ImageOffset(value)
    }
    let items = try lookUp(offsets, arguments.text("id") ?? "", arguments.text("arch"))
    return .document(.object([JSONMember("items", items)]))
  }
}
