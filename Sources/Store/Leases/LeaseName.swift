/// The subject of a lease.
public enum LeaseName: Sendable {
  /// The contents: shared by readers of all contents, held alone by a process that deletes some.
  case contents
  /// Reports that wait to be reprocessed: held by the process that was the first to start on them.
  case reprocessing
  /// The data that an upload has received: held while a request changes it.
  case receiving(upload: String)
  /// The storing of an upload that is complete.
  case storing(upload: String)
}
