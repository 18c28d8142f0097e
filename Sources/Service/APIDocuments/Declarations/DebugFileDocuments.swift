package import CrashModel
package import CrashService
package import CrashStore
package import Documents
internal import Identifiers

extension DebugFileVerdict: Documented {
  package static let declaration = DocumentType<DebugFileVerdict>(writing: "DebugFileVerdict") {
    DocumentMember("file", derived: { $0.path }, .text, example: "Tern.debug")
    DocumentMember("arch", derivedOptional: { $0.architecture }, .architecture)
    DocumentMember("debug_id", derivedOptional: { $0.debugID }, .debugID)
    DocumentMember("kind", derivedOptional: { $0.kind }, .debugFileKind)
    DocumentMember("verdict", derived: { $0.outcome }, .word)
    DocumentMember("reason", derivedOptional: { $0.reason }, .text, "Why it is refused.")
  }
}

extension MissingImage: Documented {
  package static let declaration = DocumentType(
    "MissingImage",
    blank: MissingImage(
      debugID: nil, name: "", isOwn: false, hasDebugFile: false, reports: 0, groups: 0,
      provisionalGroups: 0, builds: [], systems: [])
  ) {
    DocumentMember("debug_id", optional: \.debugID, .debugID)
    DocumentMember("code_id", optional: \.codeID, .codeID)
    DocumentMember("name", nonEmpty: \.name, .text, example: "libtern.so")
    DocumentMember("path", optional: \.path, .text, example: "/usr/lib/libtern.so")
    DocumentMember("arch", optional: \.architecture, .architecture)
    DocumentMember(
      "package", optional: \.package, .object(ImagePackage.declaration),
      "The package that it was installed from, by the binary itself.")
    DocumentMember("in_app", \.isOwn, .flag, "Whether frames of the app's own code lie in it.")
    DocumentMember("reports", \.reports, .count, "How many wait for it.")
    DocumentMember("groups", \.groups, .count, "How many groups these are in.")
    DocumentMember(
      "provisional_groups", \.provisionalGroups, .count,
      "The number of groups that would get their final signature.")
    DocumentMember(
      "has_debug_file", \.hasDebugFile, .flag,
      "Whether a debug file with less information is stored.")
    DocumentMember("builds", \.builds, .list(.document), "The releases it was seen in.")
    DocumentMember(
      "systems", \.systems, .list(.object(System.declaration)), "The systems it was seen on.")
    DocumentMember(
      "advice", derived: { SymbolAdvice(for: $0) }, .object(SymbolAdvice.declaration),
      "How to get its debug file.")
  }
}

extension ImagePackage: Documented {
  package static let declaration = DocumentType(
    "ImagePackage", blank: ImagePackage(name: "")
  ) {
    DocumentMember("type", optional: \.type, .text, example: "rpm")
    DocumentMember("name", \.name, .text, "The name of the source package.", example: "glibc")
    DocumentMember("version", optional: \.version, .text, example: "2.39-6.fc40")
    DocumentMember(
      "arch", optional: \.architecture, .text, "The distribution's name of it.", example: "x86_64")
    DocumentMember("os", optional: \.os, .text, example: "fedora 40")
    DocumentMember("os_cpe", optional: \.osCPE, .text, example: "cpe:/o:fedoraproject:fedora:40")
    DocumentMember(
      "debug_info_url", optional: \.debugInfoURL, .text,
      "A debuginfod server that has the debug information.",
      example: "https://debuginfod.fedoraproject.org/")
  }
}

extension MissingImage.Build: Documented {
  package static let declaration = DocumentType(
    "AppBuild", blank: MissingImage.Build(app: "", release: Release(version: ""))
  ) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("version", \.release.version, .text, example: "1.4.0")
    DocumentMember("build", \.release.build, .text, example: "512")
  }
}

extension MissingImage.System: Documented {
  package static let declaration = DocumentType(
    "ImageSystem", blank: MissingImage.System(name: "", version: "", build: "", model: "")
  ) {
    DocumentMember("name", \.name, .text, example: "iOS")
    DocumentMember("version", \.version, .text, example: "17.2")
    DocumentMember("build", \.build, .text, example: "21C62")
    DocumentMember("model", \.model, .text, example: "iPhone15,2")
  }
}

extension SymbolAdvice: Documented {
  package static let declaration = DocumentType<SymbolAdvice>(writing: "SymbolAdvice") {
    DocumentMember("kind", derived: { $0.kind }, .word)
    DocumentMember("text", derived: { $0.text.joined(separator: " ") }, .text)
    DocumentMember("commands", derived: { $0.commands }, .list(.text), "The commands to run.")
    DocumentMember(
      "path", derivedOptional: { $0.path }, .text, "Its path on debuginfod servers.")
    DocumentMember(
      "package", derivedOptional: { $0.package }, .text, "The distribution's package.")
    DocumentMember(
      "folders", derived: { $0.folders }, .list(.text), "Folders in which Xcode keeps it.")
  }
}

extension LookedUpOffset: Documented {
  package static let declaration = DocumentType<LookedUpOffset>(writing: "LookedUpOffset") {
    DocumentMember("offset", derived: { $0.offset.description }, .text, example: "0x1f0")
    DocumentMember(
      "frames", derived: { $0.frames }, .list(.object(frame)),
      "Innermost first; empty if nothing is known of the offset.")
  }

  private static let frame = DocumentType<Frame>(writing: "LookedUpFrame") {
    DocumentMember(
      "function", derivedOptional: { $0.function ?? $0.symbol }, .text, example: "tern::priceOf")
    DocumentMember("file", derivedOptional: { $0.file }, .text, example: "/app/src/basket.cpp")
    DocumentMember("line", derivedOptional: { $0.line }, .count)
    DocumentMember("column", derivedOptional: { $0.column }, .count)
    DocumentMember(
      "inlined", derived: { $0.inlined }, .flag, "Whether the call is inlined into the next one.")
  }
}
