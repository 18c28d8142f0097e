/// The files that belong to a dump in the folders that crash handlers write.
enum CrashFolder {
  /// Folders of a Crashpad database with dumps; a dump is named for the id of its report.
  ///
  /// Source: Crashpad, `client/crash_report_database_generic.cc`.
  private static let dumpFolders = ["completed", "pending", "new", "reports"]

  /// The dump that the files in a folder `DATABASE/attachments/ID` belong to.
  static func dump(ofAttachments path: [UInt8]) -> FolderWalk.Kin? {
    let parts = path.split(separator: 0x2f, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[parts.count - 2].elementsEqual("attachments".utf8),
      let id = parts.last, !id.isEmpty
    else { return nil }
    let database = Array(parts.dropLast(2).joined(separator: [0x2f]))
    for folder in dumpFolders {
      let dump =
        (database.isEmpty && parts.count == 2 ? [] : database + [0x2f])
        + Array(folder.utf8) + [0x2f] + Array(id) + Array(".dmp".utf8)
      if FolderWalk.isFile(dump) {
        return FolderWalk.Kin(owner: dump, name: [], isAttachment: true)
      }
    }
    return nil
  }

  /// The dump in a folder of Unity's crash handler.
  static let unityDump = Array("crash.dmp".utf8)

  /// Whether a file beside that dump is the log of its run.
  static func isLog(_ name: [UInt8]) -> Bool {
    ["Player.log", "error.log", "output_log.txt", "Editor.log"].contains {
      name.elementsEqual($0.utf8)
    }
  }
}
