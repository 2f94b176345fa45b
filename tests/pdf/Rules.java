// Whether PDF files keep to the rules of PDF/A-2a and PDF/UA-1, by veraPDF's own library.
// Arguments: for each file the id of a rule set (2a, ua1) and the file. Exit code 0: all of them do.

import java.io.FileInputStream;
import java.io.InputStream;
import java.util.TreeSet;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

public class Rules {
    public static void main(String[] arguments) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        boolean kept = true;
        for (int place = 0; place < arguments.length; place += 2) {
            kept &= keeps(PDFAFlavour.byFlavourId(arguments[place]), arguments[place + 1]);
        }
        System.exit(kept ? 0 : 1);
    }

    private static boolean keeps(PDFAFlavour rules, String file) throws Exception {
        try (InputStream content = new FileInputStream(file);
                PDFAParser parser = Foundries.defaultInstance().createParser(content, rules)) {
            PDFAValidator validator = Foundries.defaultInstance().createValidator(rules, 20, false, false, false);
            ValidationResult result = validator.validate(parser);
            String said = result.isCompliant() ? "keeps to " : "breaks ";
            System.out.println(file + ": " + said + rules.getId() + ", " + result.getTotalAssertions() + " checks");
            TreeSet<String> broken = new TreeSet<>();
            for (TestAssertion assertion : result.getTestAssertions()) {
                if (assertion.getStatus() == TestAssertion.Status.FAILED) {
                    broken.add("  " + assertion.getRuleId().getClause() + ": " + assertion.getMessage());
                }
            }
            broken.forEach(System.out::println);
            return result.isCompliant();
        }
    }
}
