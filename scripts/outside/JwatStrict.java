// Reads WARC files with JWAT, as strictly as it can: URIs by RFC 3986, all digests computed, the HTTP heads too. Prints one line per
// problem, then the number of records.
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.util.Arrays;
import org.jwat.common.Diagnosis;
import org.jwat.common.UriProfile;
import org.jwat.warc.WarcReader;
import org.jwat.warc.WarcReaderFactory;
import org.jwat.warc.WarcRecord;

public class JwatStrict {
  static int problems = 0;

  public static void main(String[] files) throws Exception {
    long records = 0;
    for (String file : files) {
      try (InputStream in = new BufferedInputStream(new FileInputStream(file), 1 << 16)) {
        WarcReader reader = WarcReaderFactory.getReader(in, 1 << 14);
        reader.setUriProfile(UriProfile.RFC3986);
        reader.setWarcTargetUriProfile(UriProfile.RFC3986);
        reader.setBlockDigestEnabled(true);
        reader.setPayloadDigestEnabled(true);
        reader.setReportHttpHeaderErrors(true);
        reader.setRecordHeaderMaxSize(1 << 20);
        reader.setPayloadHeaderMaxSize(1 << 20);
        for (WarcRecord record; (record = reader.getNextRecord()) != null; records++) {
          record.close();
          String at = file + " at " + record.getStartOffset() + " " + record.header.warcTypeStr + ": ";
          for (Diagnosis one : record.diagnostics.getErrors()) report(at, "error", one);
          for (Diagnosis one : record.diagnostics.getWarnings()) report(at, "warning", one);
          if (!record.isCompliant()) say(at + "not compliant");
          if (Boolean.FALSE.equals(record.isValidBlockDigest)) say(at + "wrong block digest");
          if (Boolean.FALSE.equals(record.isValidPayloadDigest)) say(at + "wrong payload digest");
        }
        if (!reader.isCompliant()) say(file + ": not compliant");
        if (!reader.isCompressed()) say(file + ": not compressed");
        reader.close();
      }
    }
    System.out.println(records + " records, " + problems + " problems");
    System.exit(problems == 0 ? 0 : 1);
  }

  static void report(String at, String level, Diagnosis one) {
    say(at + level + " " + one.type + " " + one.entity + " " + Arrays.toString(one.information));
  }

  static void say(String what) {
    if (++problems <= 20) System.out.println(what);
  }
}
