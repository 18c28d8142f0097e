package import Documents
internal import Identifiers

extension AppPackage: Documented {
  package static let declaration = DocumentType("AppPackage", blank: AppPackage(.zip)) {
    DocumentMember("kind", \.kind, .word, "The end of the file's name.", example: "ipa")
    DocumentMember(
      "identifier", optional: \.identifier, .text,
      "The bundle identifier, or the package of Android.",
      example: "com.example.tern")
    DocumentMember("name", optional: \.name, .text, "What users call the app.", example: "Tern")
    DocumentMember(
      "version", optional: \.version, .text, "What users see.", example: "1.4.2")
    DocumentMember(
      "build", optional: \.build, .text, "CFBundleVersion or versionCode.", example: "512")
    DocumentMember(
      "minimum_os", optional: \.minimumOS, .text,
      "The oldest system that it runs on; for Android the API level.", example: "13.0")
    DocumentMember("device_families", nonEmpty: \.deviceFamilies, .list(.text))
    DocumentMember(
      "hashes", nonEmpty: \.hashes, .list(.text),
      "Hashes of the build, as App Center's SDKs compute them.")
    DocumentMember(
      "binaries", nonEmpty: \.binaries, .list(.document), "The main executable's slices first.")
    DocumentMember("provisioning", optional: \.provisioning, .document)
    DocumentMember("notes", nonEmpty: \.notes, .list(.text), "What could not be read, and why.")
  }
}

extension AppPackage.Binary: Documented {
  package static let declaration = DocumentType(
    "PackagedBinary",
    blank: AppPackage.Binary(path: "", architecture: Architecture(""), debugID: nil)
  ) {
    DocumentMember("path", \.path, .text, "Path in the artefact.", example: "Payload/Tern.app/Tern")
    DocumentMember("arch", \.architecture, .architecture)
    DocumentMember("debug_id", optional: \.debugID, .debugID)
  }
}

extension AppPackage.Provisioning: Documented {
  package static let declaration = DocumentType(
    "Provisioning",
    blank: AppPackage.Provisioning(name: "", kind: .other, expires: nil, devices: 0)
  ) {
    DocumentMember("name", \.name, .text, example: "Tern Ad Hoc")
    DocumentMember("type", \.kind, .word)
    DocumentMember("expires", optional: \.expires, .time)
    DocumentMember("devices", \.devices, .count, "The number of listed devices.")
  }
}
